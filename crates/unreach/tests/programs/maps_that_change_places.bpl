//@ verdict: safe
// In every round two maps may change places: of the 2^40 ways of a cell through these choices no one has to be followed by itself.
procedure main(a: [int]bv8, b: [int]bv8)
{
  var x, y: [int]bv8;
  var i: int;
  x := a;
  y := b;
  i := 0;
  while (i < 40) {
    if (*) { x, y := y, x; }
    i := i + 1;
  }
  assert x[7] == a[7] || x[7] == b[7];
}
