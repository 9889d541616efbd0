//@ verdict: safe
function f(x: int): int;
axiom (forall x: int :: f(x) > x);

procedure main(x: int)
{
  assert f(f(x)) > x;
}
