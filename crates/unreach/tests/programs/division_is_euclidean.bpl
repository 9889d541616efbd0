//@ verdict: safe
procedure main(x: int)
{
  assert -7 div 2 == -4 && -7 mod 2 == 1;
  assert x mod 3 >= 0 && x mod 3 < 3;
  assert x == 3 * (x div 3) + x mod 3;
  assert -7 mod -2 == 1 && -7 div -2 == 4;
}
