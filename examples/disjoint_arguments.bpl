// Two reasons for one loop: either `p` was never changed, or the loop is about to end.
// One loop invariant has to say both; two Floyd-Hoare automata say one each.
procedure main(p0: int, n0: int)
{
  var p, n: int;
  p := p0;
  n := n0;
  assume p != 0;
  while (n >= 0) {
    assert p != 0;
    if (n == 0) {
      p := 0;
    }
    n := n - 1;
  }
}
