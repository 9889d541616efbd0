//@ verdict: safe
// The invariant has a case for each phase of the loop; both are seen in a run.
procedure main()
{
  var x, y: int;
  x := 0;
  y := 0;
  while (x < 1000) {
    x := x + 1;
    if (x <= 500) {
      y := y + 1;
    }
  }
  assert y == 500;
}
