//@ verdict: safe
// From the last cell to the first, with values that depend on the place.
procedure main()
{
  var a: [int]int;
  var i: int;
  i := 500000;
  while (i > 0) {
    i := i - 1;
    a[i] := 3 * i + 1;
  }
  i := 0;
  while (i < 500000) {
    assert a[i] == 3 * i + 1;
    i := i + 1;
  }
}
