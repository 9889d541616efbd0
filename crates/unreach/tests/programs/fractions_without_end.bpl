//@ verdict: safe
// The runs of this loop compute with ever longer numbers.
procedure main()
{
  var x: real;
  x := 0.0;
  while (x < 1.0)
  {
    x := (x + 1.0) / 2.0;
  }
  assert false;
}
