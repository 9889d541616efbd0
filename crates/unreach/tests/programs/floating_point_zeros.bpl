//@ verdict: unsafe
//@ fails: 9
// The zeros are equal, and are two indices.
var m: [float24e8]int;
procedure main(x: float24e8, y: float24e8)
  modifies m;
{
  m[x] := 1; m[y] := 2;
  assert x == y ==> m[x] == 2;
}
