//@ verdict: unsafe
//@ fails: 23
// A thread gives its place back before it has left, so a third one can come in.
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
  atomic { assume free > 0; free := free - 1; }
  inside := inside + 1;
  free := free + 1;
  // Nobody has gone.
  assert inside <= 2;
  inside := inside - 1;
}
