//@ verdict: safe
// A loop with two entries.
procedure main()
{
  var x: int;
  start:
    x := 0;
    goto left, right;
  left:
    x := x + 2;
    goto right, done;
  right:
    x := x + 2;
    goto left, done;
  done:
    assert x mod 2 == 0 && x >= 2;
}
