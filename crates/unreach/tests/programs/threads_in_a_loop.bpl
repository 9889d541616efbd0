//@ verdict: unsafe
//@ fails: 20
// Three threads have to be between their two statements at once.
var inside: int;

procedure ULTIMATE.start()
  modifies inside;
{
  inside := 0;
  while (*) {
    fork 0 enter();
  }
}

procedure enter()
  modifies inside;
{
  inside := inside + 1;
  // Nobody leaves before it has looked.
  assert inside < 3;
  inside := inside - 1;
}
