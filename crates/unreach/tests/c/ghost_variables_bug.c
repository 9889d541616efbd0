// property: assert
// verdict: unsafe
// harness: a test cannot name ghosts
// The ghost counts one call too many.
//@ ghost int calls = 1;

int add(int x)
{
  //@ ghost calls += 1;
  return x + 1;
}

int main(void)
{
  int x = add(add(1));
  //@ assert calls == 2;
  return 0;
}
