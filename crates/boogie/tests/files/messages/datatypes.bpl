//@ messages
datatype T { C(x: int), D() }
datatype Empty { E(x: Missing) }
procedure main(t: T, i: int)
{
  assert t is F;
  assert t->y == 0;
  assert i is C;
  assert C() == t;
  assert C(true) == t;
  C(i) := t;
}
//@ expect
// error: constructor `F` is not declared
//  --> input.bpl:6:15
//   |
// 6 |   assert t is F;
//   |               ^
// error: type `T` has no field `y`
//  --> input.bpl:7:13
//   |
// 7 |   assert t->y == 0;
//   |             ^
// error: expected a datatype, found type `int`
//  --> input.bpl:8:10
//   |
// 8 |   assert i is C;
//   |          ^
// error: constructor `C` has 1 field, but is given 0 arguments
//  --> input.bpl:9:10
//   |
// 2 | datatype T { C(x: int), D() }
//   |              - declared here
// ...
// 9 |   assert C() == t;
//   |          ^^^
// error: expected type `int`, found `bool`
//   --> input.bpl:10:12
//    |
// 10 |   assert C(true) == t;
//    |            ^^^^ this has type `bool`
// error: parameter `i` cannot be changed
//   --> input.bpl:11:5
//    |
//  4 | procedure main(t: T, i: int)
//    |                      - declared here
// ...
// 11 |   C(i) := t;
//    |     ^
