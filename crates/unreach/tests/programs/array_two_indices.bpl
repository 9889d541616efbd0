//@ verdict: unsafe
//@ fails: 8
procedure main(i: int, j: int)
{
  var m: [int, int]bool;
  m[i, j] := true;
  m[j, i] := false;
  assert m[i, j];
}
