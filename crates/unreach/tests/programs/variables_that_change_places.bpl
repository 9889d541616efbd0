//@ verdict: safe
// Which of them is 1 depends on the parity of the number of rounds.
procedure main()
{
  var i, x, y, t: int;
  i := 0;
  x := 0;
  y := 1;
  while (i < 1000000001) {
    t := x;
    x := y;
    y := t;
    i := i + 1;
  }
  assert x == 1;
}
