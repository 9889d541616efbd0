//@ verdict: unsafe
//@ fails: 13
// The loop ends one cell before the one that is asserted.
procedure main(n: int, j: int)
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < n - 1) {
    a[i] := 7;
    i := i + 1;
  }
  assert 0 <= j && j < n ==> a[j] == 7;
}
