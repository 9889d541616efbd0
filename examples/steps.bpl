// Is x == n possible at the end? `unreach reach` knows for which n.
procedure steps(n: int)
{
  var x: int;
  x := 0;
  while (x < n)
  {
    x := x + 2;
  }
}
