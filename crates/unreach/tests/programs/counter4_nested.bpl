//@ verdict: safe
// Row 1 of Table 1: a counter of four bits whose carry ripples through nested branches. Safe: the loop ends only
// when the highest bit is set, and that is all the assertion says.
procedure main()
{
  var b0, b1, b2, b3: bool;
  b0 := false;
  b1 := false;
  b2 := false;
  b3 := false;
  while (!b3)
  {
    if (!b0) {
      b0 := true;
    } else {
      b0 := false;
      if (!b1) {
        b1 := true;
      } else {
        b1 := false;
        if (!b2) {
          b2 := true;
        } else {
          b2 := false;
          b3 := true;
        }
      }
    }
  }
  assert b3;
}
