//@ verdict: unsafe
//@ fails: 5
procedure same<a>(x: a, y: a)
{
  assert x == y;
}
