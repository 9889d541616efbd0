//@ verdict: safe
procedure main(x: int)
{
  assume x == 7;
  assert x / 2 == 3.5;
}
