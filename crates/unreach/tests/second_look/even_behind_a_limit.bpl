//@ verdict: safe
// Behind the limit, which is even, x goes on by two; no run comes so far.
procedure main()
{
  var x: int;
  x := 0;
  while (x < 268435455)
  {
    if (x < 65520) { x := x + 1; } else { x := x + 2; }
  }
  assert x mod 2 == 0;
}
