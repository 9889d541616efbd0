// A loop in a loop (after "nested" of the paper on leaping loops).
procedure nested(n: int)
{
  var x, y: int;

  assume n >= 1000000;
  x := 0;
  while (x < n)
  {
    x := x + 1;
    y := 0;
    while (y < n)
    {
      y := y + 1;
    }
  }
  if (y == n)
  {
    assert false;
  }
}
