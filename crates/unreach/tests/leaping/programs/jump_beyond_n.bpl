// Two steps forward, one back; how far back is open (after "jump_beyond_n" of the paper on leaping loops).
procedure jump_beyond_n(n: int)
{
  var x: int;

  assume n >= 1000000;
  x := 0;
  while (x < n)
  {
    if (x mod 2 == 1)
    {
      if (*)
      {
        x := x - 1;
      }
      else
      {
        x := x - 3;
      }
    }
    else if (x mod 4 == 0)
    {
      x := x + 5;
    }
    else
    {
      x := x + 1;
    }
  }
  assert false;
}
