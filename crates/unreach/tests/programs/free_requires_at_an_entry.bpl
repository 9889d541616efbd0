//@ verdict: safe
procedure main(x: int where x > 0)
  free requires x < 5;
{
  assert 0 < x && x < 5;
}
