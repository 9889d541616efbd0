//@ verdict: safe
// One cell is watched while the others are written.
procedure main(n: int)
{
  var a: [int]int;
  var i: int;
  a[0] := 7;
  i := 1;
  while (i < n) {
    a[i] := 0;
    i := i + 1;
  }
  assert a[0] == 7;
}
