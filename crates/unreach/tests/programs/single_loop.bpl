//@ verdict: safe
// Row 2 of Table 1: one loop without branches. Safe: x and y move in step, and x ends at n.
procedure main(n: int)
  requires n >= 0;
{
  var x, y: int;
  x := 0;
  y := n;
  while (x < n)
  {
    x := x + 1;
    y := y - 1;
  }
  assert y == 0;
}
