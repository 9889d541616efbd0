//@ verdict: unsafe
//@ fails: 12
// The mark does not lie on the way to this error.
procedure main(c: bool)
{
  var x: int;
  if (c) {
    assume {:overapproximation} x > 0;
    assert x > 0;
  } else {
    x := 0;
    assert x == 1;
  }
}
