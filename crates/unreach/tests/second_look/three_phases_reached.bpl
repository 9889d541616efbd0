//@ verdict: unsafe
// The end of the three phases is reached.
procedure main()
{
  var x, y: int;
  x := 0; y := 7;
  while (x < 100000000)
  {
    if (x < 1000000) { x := x + 1; }
    else { if (x < 2000000) { x := x + 4; y := 2; } else { x := x + 10; y := y + 1; } }
  }
  assert x != 100000000;
}
