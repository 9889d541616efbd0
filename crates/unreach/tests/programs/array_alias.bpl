//@ verdict: unsafe
//@ fails: 10
var a: [int]int;

procedure main(i: int, j: int)
  modifies a;
{
  a[i] := 1;
  a[j] := 2;
  assert a[i] == 1;
}
