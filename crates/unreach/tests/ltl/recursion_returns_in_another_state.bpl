//@ verdict: false
//@ ltl invariant settles: <>[]AP(x == 0);
// Inside of the calls that come back the flag is set, between them it is not.
var x: int;
procedure touch(n: int) modifies x; { if (n > 0) { call touch(n - 1); } else { x := 1; x := 0; } }
procedure ULTIMATE.start() modifies x; { x := 0; while (true) { call touch(1); } }
