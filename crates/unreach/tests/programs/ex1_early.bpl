//@ verdict: unsafe
//@ fails: 11
// The pointer is cleared one iteration too early.
procedure main(p0: int, n0: int)
{
  var p, n: int;
  p := p0;
  n := n0;
  assume p != 0;
  while (n >= 0) {
    assert p != 0;
    if (n == 1) {
      p := 0;
    }
    n := n - 1;
  }
}
