//@ verdict: unsafe
//@ fails: 12
// One branch assigns what must not be.
procedure main()
{
  var x: int;
  if (x < 0) {
    x := -1;
  } else {
    x := 0;
  }
  assert x != 0;
}
