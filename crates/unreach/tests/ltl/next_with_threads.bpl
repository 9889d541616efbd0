//@ verdict: true
//@ ltl invariant next: [](AP(x == 2) ==> X AP(x == 2));
// The end of the first thread is not that of the program: the state is that of the last one.
var x: int;
procedure __VERIFIER_ltl_step();
procedure worker() modifies x; { x := 2; call __VERIFIER_ltl_step(); }
procedure ULTIMATE.start() modifies x; { x := 1; call __VERIFIER_ltl_step(); fork 1 worker(); }
