// The direction flips in every round, so the choice must flip too (after "flip" of the paper on leaping loops).
procedure flip(n: int)
{
  var x, t: int;

  assume n >= 1000000;
  x := 0;
  t := 1;
  while (x < n)
  {
    t := -t;
    if (*)
    {
      x := x + t;
    }
    else
    {
      x := x - t;
    }
  }
  assert false;
}
