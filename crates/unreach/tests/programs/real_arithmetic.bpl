//@ verdict: safe
procedure main(x: real)
{
  var y: real;
  assume x > 0.0 && x < 1.0;
  y := x / 2.0;
  assert y > 0.0 && y < 0.5;
}
