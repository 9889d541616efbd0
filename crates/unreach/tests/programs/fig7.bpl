//@ verdict: safe
// Paper "Software Model Checking for People who Love Automata", Figure 7: which branch was taken is forgotten where
// the paths meet, and only one of the two assertions needs it.
procedure main()
{
  var x, y, z: int;
  if (*) {
    x := 0;
  } else {
    y := 0;
  }
  if (z == 0) {
    assert z == 0;
  } else {
    assert x == 0 || y == 0;
  }
}
