//@ verdict: true
//@ ltl invariant alternates: []<>AP(x == 1) && []<>AP(x == 0);
// Two procedures call each other for ever.
var x: int;
procedure ping() modifies x; { x := 1; call pong(); }
procedure pong() modifies x; { x := 0; call ping(); }
procedure ULTIMATE.start() modifies x; { x := 0; call ping(); }
