//@ messages
// The expressions of attributes are checked as all others are.
var {:a b + 1} x: int;
procedure {:c x} p(y: int)
{
  assert {:d y, "text", y && true} true;
}
//@ expect
// error: `b` is not declared
//  --> input.bpl:3:9
//   |
// 3 | var {:a b + 1} x: int;
//   |         ^
// error: operator `&&` is not defined on `int` and `bool`
//  --> input.bpl:6:25
//   |
// 6 |   assert {:d y, "text", y && true} true;
//   |                         -^^^^----
//   |                         |    |
//   |                         |    this has type `bool`
//   |                         this has type `int`
