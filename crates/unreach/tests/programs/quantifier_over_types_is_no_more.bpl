//@ verdict: unsafe
//@ fails: 7
function rank<a>(x: a): int;
axiom (forall<a> x: a :: rank(x) > 0);
procedure main(b: bool)
{
  assert rank(b) > 1;
}
