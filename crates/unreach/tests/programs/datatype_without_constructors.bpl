//@ verdict: safe
// Without constructors it is a type like any other.
type {:datatype} D;
procedure main(x: D)
{
  assert x == x;
}
