//@ messages
// What structs are not combined with.
type Point = { x, y: int };
type Box _;
const unique u: Point;
const b: Box Point;
function {:builtin "MapConst"} all(p: Point) returns ([int]Point);
//@ expect
