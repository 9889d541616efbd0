//@ verdict: unsafe
//@ fails: 8
type T;
const unique a, b, c: T;
axiom (forall x: T :: x == a || x == b || x == c);
procedure main(x: T)
{
  assert x == a || x == b;
}
