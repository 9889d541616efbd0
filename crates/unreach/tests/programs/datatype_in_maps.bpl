//@ verdict: safe
datatype Option<T> { None(), Some(value: T) }
datatype Pair<A, B> { Pair(first: A, second: B) }
var m: [Pair int int]Option int;
procedure main(x: Option int, y: Option int)
  modifies m;
{
  var o: Option int;
  var f: [Option int]bool;
  m[Pair(1, 2)] := Some(3);
  m[Pair(2, 1)] := None();
  assert m[Pair(1, 2)] == Some(3);
  o := m[Pair(2, 1)];
  assert o == None();
  f[x] := true;
  assert x is None && y is None ==> f[y];
  assert x is Some && y is Some && x->value == y->value ==> f[y];
}
