//@ verdict: unsafe
//@ fails: 14
// A label of a structured statement is a place like any other.
procedure main(p: bool)
{
  var x: int;
  x := 0;
  goto inside, outside;
  outside:
  if (p) {
    x := 1;
    inside:
    x := x + 1;
    assert x == 2;
  }
}
