//@ verdict: false
//@ ltl invariant next: X [] AP(x == 1);
var x: int;
procedure __VERIFIER_ltl_step();
procedure worker() modifies x; { x := 2; }
procedure ULTIMATE.start() modifies x; { x := 1; call __VERIFIER_ltl_step(); fork 1 worker(); }
