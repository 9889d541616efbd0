//@ verdict: false
//@ ltl invariant alternates: []<>AP(x == 1);
// The flag is set on the way down, and cleared for good at some depth.
var x: int;
procedure ping(n: int) modifies x; { if (n > 0) { x := 1; } else { x := 0; } call ping(n - 1); }
procedure ULTIMATE.start() modifies x; { x := 0; call ping(5); }
