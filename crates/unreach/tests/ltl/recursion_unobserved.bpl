//@ verdict: false
//@ ltl invariant comes: <>AP(a == 1);
// An execution goes down for ever without a change: it is observed all the same.
var a: int;
procedure down() modifies a; { call down(); a := 1; }
procedure ULTIMATE.start() modifies a; { a := 0; call down(); }
