//@ messages
type Point = { x, y: int };
type Twice = { a: int, a: bool };
var p: Point;
var i: int;
axiom { x: 1, x: 2 } == { x: 1, y: 2 };
procedure q()
  modifies p, i;
{
  p!z := 1;
  p!x := true;
  i!x := 2;
  p := { y: 1, x: 2 };
  assert p!x!y == i && p == i;
}
//@ expect
// error: field `a` is declared twice
//  --> input.bpl:3:24
//   |
// 3 | type Twice = { a: int, a: bool };
//   |                -       ^ second declaration
//   |                |
//   |                first declaration
// error: field `x` is declared twice
//  --> input.bpl:6:15
//   |
// 6 | axiom { x: 1, x: 2 } == { x: 1, y: 2 };
//   |         -     ^ second declaration
//   |         |
//   |         first declaration
// error: type `{ x: int, y: int }` has no field `z`
//   --> input.bpl:10:5
//    |
// 10 |   p!z := 1;
//    |     ^
// error: expected type `int`, found `bool`
//   --> input.bpl:11:10
//    |
// 11 |   p!x := true;
//    |          ^^^^ this has type `bool`
// error: expected a struct, found type `int`
//   --> input.bpl:12:3
//    |
// 12 |   i!x := 2;
//    |   ^ this has no fields
// error: expected type `{ x: int, y: int }`, found `{ y: int, x: int }`
//   --> input.bpl:13:8
//    |
// 13 |   p := { y: 1, x: 2 };
//    |        ^^^^^^^^^^^^^^ this has type `{ y: int, x: int }`
// error: expected a struct, found type `int`
//   --> input.bpl:14:10
//    |
// 14 |   assert p!x!y == i && p == i;
//    |          ^^^ this has no fields
// error: operator `==` is not defined on `{ x: int, y: int }` and `int`
//   --> input.bpl:14:24
//    |
// 14 |   assert p!x!y == i && p == i;
//    |                        -^^^^-
//    |                        |    |
//    |                        |    this has type `int`
//    |                        this has type `{ x: int, y: int }`
