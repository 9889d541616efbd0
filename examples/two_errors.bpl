// Two errors, two small reasons: `x` never becomes negative, and `y` never changes.
procedure main()
{
  var x, y: int;
  x := 0;
  y := 0;
  while (*) {
    x := x + 1;
  }
  assert x != -1;
  assert y != -1;
}
