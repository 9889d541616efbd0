//@ ends: not always
// The steps are even and the beginning is odd, so zero is never met, on no path of the body.
procedure main()
{
  var x: int;
  x := 5;
  while (x != 0) {
    if (x < 0) { x := x + 30; }
    x := x - 2;
  }
}
