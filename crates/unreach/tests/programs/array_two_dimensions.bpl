//@ verdict: safe
// One row is filled while another one is not touched.
procedure main(n: int, row: int, j: int)
{
  var a: [int][int]int;
  var i: int;
  a[row][3] := 1;
  i := 0;
  while (i < n) {
    a[row + 1][i] := 42;
    i := i + 1;
  }
  assert 0 <= j && j < n ==> a[row + 1][j] == 42;
  assert a[row][3] == 1;
}
