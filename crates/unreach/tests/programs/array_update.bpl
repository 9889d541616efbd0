//@ verdict: safe
var a: [int]int;

procedure main(i: int, j: int)
  modifies a;
{
  a[i] := 1;
  a[j] := 2;
  assert a[j] == 2;
  assert i != j ==> a[i] == 1;
}
