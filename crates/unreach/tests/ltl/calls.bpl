//@ verdict: true
//@ ltl invariant comes: <>(AP(x || y))
var x: bool;
var y: bool;
procedure ULTIMATE.start() modifies x, y;
{
  havoc y;
  call set();
}
procedure set() modifies x, y;
{
  if (!y) { x := true; }
}
