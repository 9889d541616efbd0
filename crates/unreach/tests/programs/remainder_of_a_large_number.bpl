//@ verdict: safe
// No run is long enough to see that the second counter starts again.
procedure main()
{
  var x, y: int;
  x := 0;
  y := 0;
  while (*) {
    x := x + 1;
    y := (y + 1) mod 65535;
  }
  if (x == 31415) {
    assert y == 31415;
  }
}
