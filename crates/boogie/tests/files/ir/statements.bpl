//@ ir
type T;
var m: [int][bool, int]T;
var t: T;
var n: int where n >= 0;
procedure callee(a: int where a != 0, b: T) returns (c: int where c > a, d: T);
  requires a > 0;
  free requires a > 1;
  ensures c == old(n) + n;
  free ensures {:label "post"} true;
  modifies n, m, n;
procedure p() returns (x: int)
  modifies m, t, n;
{
  var i, j: int where i < j;
  m[i][true, j] := t;
  m[1], t, i := m[2], m[i][false, 1], i + 1;
  havoc m, i, m;
  call {:cost 3} n, t := callee(i + 1, t);
  assert {:msg "say \"hello\""} n > old(n);
  assert {:invariant} n > 0;
  assume {:partition} n != 3;
}
//@ expect
// type T;
// var m: [int][bool, int]T;
// var t: T;
// var n: int where n >= 0;
//
// procedure callee(a: int where a != 0, b: T) returns (c: int where c > a, d: T);
//   requires a > 0;
//   free requires a > 1;
//   modifies n, m;
//   ensures c == old(n) + n;
//   free ensures {:label "post"} true;
//
// procedure p() returns (x: int)
//   modifies m, t, n;
// {
//   var i: int where i < j;
//   var j: int where i < j;
//
// entry1:
//   m := m[i := m[i][true, j := t]];
//   m, t, i := m[1 := m[2]], m[i][false, 1], i + 1;
//   havoc m, i;
//   call {:cost 3} n, t := callee(i + 1, t);
//   assert {:msg "say \"hello\""} n > old(n);
//   assert {:invariant} n > 0;
//   assume {:partition} n != 3;
//   return;
// }
