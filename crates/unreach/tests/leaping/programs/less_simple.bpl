// Two variables overtake each other; which of them moves is open (after "less_simple" of the paper on leaping loops).
procedure less_simple(n: int)
{
  var x, y: int;

  assume n >= 1000000;
  x := 0;
  y := 0;
  x := 1;
  if (*)
  {
    y := 1;
  }
  while (x < n)
  {
    if (x >= y + 2)
    {
      y := x;
    }
    else if (*)
    {
      x := x + 1;
    }
    else
    {
      y := x + 1;
    }
  }
  if (x >= y)
  {
    assert false;
  }
}
