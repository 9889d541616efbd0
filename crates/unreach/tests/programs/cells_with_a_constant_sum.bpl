//@ verdict: safe
// What one cell loses the other gets, unless they are the same cell.
procedure main()
{
  var x, y: int;
  var a: [int]int;
  a[x] := 0;
  a[y] := 1000;
  while (*) {
    a[x] := a[x] + 1;
    a[y] := a[y] - 1;
  }
  if (x > y && a[x] == 1000) {
    assert a[y] <= 0;
  }
}
