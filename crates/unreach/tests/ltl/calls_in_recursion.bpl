//@ verdict: true
//@ ltl invariant again: G (call(f()) -> F AP(x == 0)) && F call(g()) && ! F call(nothing());
var x: int;
procedure f(n: int) modifies x; { x := n; if (n > 0) { call f(n - 1); } else { call g(); } }
procedure g() { }
procedure ULTIMATE.start() modifies x; { x := 5; call f(3); }
