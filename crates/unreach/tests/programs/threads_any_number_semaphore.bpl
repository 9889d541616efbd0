//@ verdict: safe
// A semaphore lets two of any number of threads in; that needs a proof that counts.
var free, inside: int;

procedure ULTIMATE.start()
  modifies free, inside;
{
  free := 2;
  inside := 0;
  while (*) {
    fork 0 visitor();
  }
}

procedure visitor()
  modifies free, inside;
{
  while (*) {
    atomic { assume free > 0; free := free - 1; }
    inside := inside + 1;
    assert inside <= 2;
    inside := inside - 1;
    free := free + 1;
  }
}
