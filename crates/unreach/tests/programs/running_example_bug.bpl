//@ verdict: unsafe
//@ fails: 24
// The running example with a mistake: the last branch takes a token without putting it anywhere. Unsafe.
procedure main(n: int)
{
  var x, y, z: int;
  x := n;
  y := 0;
  z := 0;
  while (x != 0)
  {
    if (*) {
      x := x + 1;
      y := y - 1;
    }
    if (*) {
      y := y + 1;
      z := z - 1;
    }
    if (*) {
      x := x - 1;
    }
  }
  assert n == y + z;
}
