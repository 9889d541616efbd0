//@ verdict: unsafe
//@ fails: 11
// The error needs twenty iterations.
procedure main()
{
  var i: int;
  i := 0;
  while (i < 20) {
    i := i + 1;
  }
  assert i != 20;
}
