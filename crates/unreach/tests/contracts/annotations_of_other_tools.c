// Between a function and its body other tools have their annotations. They are comments: nothing is assumed.
// contracts: check
// function: main
// verdict: unsafe
// says: left out as comments
int f(int x)
//@ requires x > 0 &*& integer(&x, ?v) &*& 'a;
//@ ensures result == x;
{
  __CPROVER_assert(x > 0, "nobody has said so");
  return x;
}

int main(void)
//@ requires true;
//@ ensures true;
{
  f(0);
  return 0;
}
