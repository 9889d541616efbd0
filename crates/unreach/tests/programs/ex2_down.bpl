//@ verdict: unsafe
//@ fails: 12
// The loop counts down.
procedure main()
{
  var x, y: int;
  x := 0;
  y := 0;
  while (*) {
    x := x - 1;
  }
  assert x != -1;
  assert y != -1;
}
