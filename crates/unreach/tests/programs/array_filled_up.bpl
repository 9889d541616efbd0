//@ verdict: safe
// All cells below the counter have been written.
procedure main(n: int, j: int)
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < n) {
    a[i] := 7;
    i := i + 1;
  }
  assert 0 <= j && j < n ==> a[j] == 7;
}
