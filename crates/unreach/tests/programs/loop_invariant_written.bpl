//@ verdict: safe
procedure main(n: int)
  requires n >= 0;
{
  var i, s: int;
  i := 0;
  s := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant s == 2 * i;
  {
    i := i + 1;
    s := s + 2;
  }
  assert s == 2 * n;
}
