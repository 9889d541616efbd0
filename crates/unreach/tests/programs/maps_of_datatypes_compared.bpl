//@ verdict: safe
// Maps are equal if all of their elements are, whatever stands in the fields of other constructors.
datatype Option { None(), Some(value: int) }
datatype Box { Box(content: [int]Option) }

procedure main(m: [int]Option, n: [int]Option)
{
  var k: [int]Option;
  k := m;
  k[0] := None();
  assert k == m ==> m[0] is None;
  assert k != m ==> m[0] is Some;
  assert Box(k) == Box(m) <==> k == m;
  if (m == n) {
    assert m[7] == n[7];
  }
}

procedure floats(m: [float24e8]float24e8, x: float24e8)
{
  var n: [float24e8]float24e8;
  n := m[0NaN24e8 := x];
  assert m == n ==> m[0NaN24e8] == x || x != x;
}
