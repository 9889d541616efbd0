//@ verdict: safe
// Row 6 of Table 1, the paper's example: tokens wander between three places. Safe: their number stays the same.
procedure main(n: int)
{
  var x, y, z: int;
  x := n;
  y := 0;
  z := 0;
  while (x != 0)
  {
    if (*) {
      x := x + 1;
      y := y - 1;
    }
    if (*) {
      y := y + 1;
      z := z - 1;
    }
    if (*) {
      z := z + 1;
      x := x - 1;
    }
  }
  assert n == y + z;
}
