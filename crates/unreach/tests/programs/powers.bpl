//@ verdict: safe
procedure main(x: real)
{
  assert 2.0 ** 3.0 == 8.0;
  assert x ** 2.0 == x * x && x ** 0.0 == 1.0;
}
