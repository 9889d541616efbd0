//@ verdict: safe
// The program has no type in the reference's reading, so it is of the dialect in which `/` is `div`.
procedure main(x: int)
{
  var y: int;
  assume x == -7;
  y := x / 2;
  assert y == -4;
}
