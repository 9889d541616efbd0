//@ verdict: safe
// An atomic part that cannot come to its end does not begin, whoever jumps out of it.
var x, y: int;

procedure ULTIMATE.start()
  modifies x, y;
{
  x := 0;
  y := 0;
  fork 1 both();
  atomic {
    assert x == y;
    x := 5;
    assume y == 5;
  }
}

procedure both()
  modifies x, y;
{
  while (true) {
    atomic {
      x := x + 1;
      y := y + 1;
      if (x == 3) {
        break;
      }
    }
  }
}
