//@ verdict: unsafe
//@ fails: 8
// Half of a whole number need not be whole.
procedure main(n: int)
{
  var y: real;
  y := real(n) / 2.0;
  assert real(int(y)) == y;
}
