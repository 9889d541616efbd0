//@ verdict: safe
procedure main(n: int, j: int)
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < 2000) {
    if (i < 1000) { a[i] := 0; } else { a[i] := i; }
    i := i + 1;
  }
  assert 0 <= j && j < 1000 ==> a[j] == 0;
  assert 1000 <= j && j < 2000 ==> a[j] == j;
}
