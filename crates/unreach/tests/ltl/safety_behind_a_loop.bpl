//@ verdict: true
//@ ltl invariant bounded: [](AP(phase == 1) ==> [](AP(x <= 100)))
var x: int;
var phase: int;
procedure ULTIMATE.start() modifies x, phase;
{
  phase := 0;
  x := 0;
  while (x < 100) { x := x + 1; }
  phase := 1;
  while (true) { call step(); }
}
procedure step() modifies x;
{
  if (x > 0) { x := x - 1; }
}
