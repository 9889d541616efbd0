//@ verdict: unsafe
//@ fails: 23
// A thread gives its place back before it has left, so a third one can come in.
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
  atomic { assume places > 0; places := places - 1; }
  inside := inside + 1;
  places := places + 1;
  // Nobody has gone.
  assert inside <= 2;
  inside := inside - 1;
}
