//@ verdict: unsafe
//@ fails: 7
function f(int) returns (int);
axiom (forall x: int :: f(x) > x);
procedure main(x: int)
{
  assert f(x) > x + 1;
}
