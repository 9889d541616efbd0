//@ verdict: safe
// Paper "Software Model Checking for People who Love Automata", Figure 1.
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
