//@ verdict: unsafe
//@ fails: 10
// The unknown type may be `int`.
type Field a;
var m: <a>[Field a]int;
procedure change<a>(f: Field a, g: Field int)
  modifies m;
{
  m[g] := 1; m[f] := 2;
  assert m[g] == 1;
}
