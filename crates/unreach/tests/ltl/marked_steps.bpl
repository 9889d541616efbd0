//@ verdict: true
//@ ltl invariant next: AP(x == 1) && X AP(x == 2) && X X AP(x == 2);
// A Boogie program marks its steps, too; the last state stays for ever.
var x: int;
procedure __VERIFIER_ltl_step();
procedure ULTIMATE.start() modifies x; {
  x := 1;
  call __VERIFIER_ltl_step();
  x := 5;
  x := 2;
  call __VERIFIER_ltl_step();
}
