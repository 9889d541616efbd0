//@ verdict: safe
procedure main(x: int)
{
  assert x * x >= 0;
}
