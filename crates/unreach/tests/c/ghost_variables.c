// property: assert
// verdict: safe
// Ghosts are variables that only annotations speak of.
//@ ghost int calls = 0;
//@ ghost long long twice;

int add(int x)
{
  //@ ghost calls = calls + 1;
  return x + 1;
}

int main(void)
{
  int x = add(add(1));
  //@ ghost twice = 2 * calls;
  //@ assert calls == 2 && twice == 4 && x == 3;
  return 0;
}
