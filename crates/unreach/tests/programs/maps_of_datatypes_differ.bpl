//@ verdict: unsafe
//@ fails: 11
// One element differs.
datatype Option { None(), Some(value: int) }

procedure main(m: [int]Option)
{
  var k: [int]Option;
  k := m;
  k[3] := Some(5);
  assert k == m;
}
