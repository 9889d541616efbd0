//@ verdict: safe
// A variable satisfies its where clause at the start and after a havoc.
var g: int where g >= 0;

procedure main(x: int where x > 5)
  modifies g;
{
  var y: int where y > x;
  assert g >= 0 && y > 6;
  havoc g, y;
  assert g + y > 6;
}
