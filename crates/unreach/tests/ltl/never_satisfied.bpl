//@ verdict: false
//@ ltl invariant never: <>(AP(x > 0) && !AP(x > 0))
// Every execution violates the formula, so its automaton accepts everything from the beginning on.
var x: int;
procedure ULTIMATE.start() modifies x;
{
  x := 0;
  x := x + 1;
}
