//@ verdict: safe
// A guard with a quantifier in a thread: what stands inside of the quantifier is no invariant by itself.
var g: int;
var m: [bool]int;
procedure worker()
  modifies g;
{
  g := (g + 1) mod 3;
  assert g >= 0;
}
procedure ULTIMATE.start()
  modifies g, m;
{
  var p: bool;
  m := m[true := 0][false := 1];
  g := 0;
  fork 1 worker();
  p := (forall e: bool :: m[e] >= g);
  join 1;
  assert p ==> g <= 2;
}
