//@ messages
// What structs are not combined with.
type Point = { x, y: int };
type Box _;
const unique u: Point;
const b: Box Point;
function {:builtin "MapConst"} all(p: Point) returns ([int]Point);
//@ expect
// error: unsupported: structs
//  --> input.bpl:4:6
//   |
// 4 | type Box _;
//   |      ^^^
// error: unsupported: structs
//  --> input.bpl:5:14
//   |
// 5 | const unique u: Point;
//   |              ^
// error: unsupported: structs
//  --> input.bpl:7:32
//   |
// 7 | function {:builtin "MapConst"} all(p: Point) returns ([int]Point);
//   |                                ^^^
