//@ verdict: true
//@ ltl invariant never: ! F call(nothing()) && F call(g());
// A procedure that the program does not have is never called.
var x: int;
procedure g() { }
procedure ULTIMATE.start() modifies x; { x := 5; call g(); }
