// Three loops in a row, each with larger steps (after "simple" of the paper on leaping loops).
procedure simple(n: int)
{
  var x: int;

  assume n >= 1000000;
  x := 0;
  while (x < n)
  {
    x := x + 1;
  }
  while (x < 2 * n)
  {
    x := x + 2;
  }
  while (x < 3 * n)
  {
    x := x + 3;
  }
  assert false;
}
