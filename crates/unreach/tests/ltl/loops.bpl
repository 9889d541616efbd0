//@ verdict: false
//@ ltl invariant small: [](AP(x < 3))
var x: int;
procedure ULTIMATE.start() modifies x;
{
  x := 0;
  while (true) { x := x + 1; if (x > 5) { x := 0; } }
}
