//@ verdict: safe
procedure main(m: [int][int]int, i: int, j: int)
{
  var n: [int][int]int;
  n := m;
  n[i] := n[i][j := 5];
  assert n[i][j] == 5;
  assert n[i + 1][j] == m[i + 1][j];
}
