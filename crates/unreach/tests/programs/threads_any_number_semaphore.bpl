//@ verdict: safe
// A semaphore lets two of any number of threads in; that needs a proof that counts.
var places, inside: int;

procedure ULTIMATE.start()
  modifies places, inside;
{
  places := 2;
  inside := 0;
  while (*) {
    fork 0 visitor();
  }
}

procedure visitor()
  modifies places, inside;
{
  while (*) {
    atomic { assume places > 0; places := places - 1; }
    inside := inside + 1;
    assert inside <= 2;
    inside := inside - 1;
    places := places + 1;
  }
}
