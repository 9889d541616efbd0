//@ verdict: unsafe
//@ fails: 10
// In the callee `old(g)` is the value at its own entry.
var g: int;

procedure inner()
  modifies g;
{
  g := g + 1;
  assert old(g) == 0;
}

procedure ULTIMATE.start()
  modifies g;
{
  g := 0;
  call inner();
  call inner();
}
