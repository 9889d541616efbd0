//@ messages
const c: int;
var g: int where old(g) > 0;
axiom g > 0;
axiom old(c) > 0;
function f(x: int) returns (int) { g + x }
procedure p(x: int) returns (r: int)
  requires r > 0;
  requires old(g) == g;
  modifies g;
{
  x := 1;
  c := 2;
  havoc x;
  g, g := 1, 2;
  r := 1, 2;
  break;
  while (true) { break here; }
  call r := p(1, 2);
  call p(1);
  call r, r := two();
  call x := p(1);
}
procedure two() returns (a: int, b: bool);
procedure three() { var z: real; var y: int; call z, y := two(); }
procedure four(x: int);
implementation four(x: bool) { }
implementation four(x: int where x > 0) { }
function {:builtin "bvadd"} with_body(x: bv8, y: bv8) returns (bv8) { x }
function {:builtin "bvadd"} wrong_signature(x: bv8, y: bv4) returns (bv8);
function {:builtin 3} no_string(x: bv8) returns (bv8);
//@ expect
// error: `old` cannot be used in a `where` clause
//  --> input.bpl:3:18
//   |
// 3 | var g: int where old(g) > 0;
//   |                  ^^^^^^
// error: global variable `g` cannot be used in an axiom
//  --> input.bpl:4:7
//   |
// 4 | axiom g > 0;
//   |       ^
// error: `old` cannot be used in an axiom
//  --> input.bpl:5:7
//   |
// 5 | axiom old(c) > 0;
//   |       ^^^^^^
// error: global variable `g` cannot be used in the body of a function
//  --> input.bpl:6:36
//   |
// 6 | function f(x: int) returns (int) { g + x }
//   |                                    ^
// error: result `r` cannot be used in a `requires` clause
//  --> input.bpl:8:12
//   |
// 8 |   requires r > 0;
//   |            ^
// error: parameter `x` cannot be changed
//   --> input.bpl:12:3
//    |
//  7 | procedure p(x: int) returns (r: int)
//    |             - declared here
// ...
// 12 |   x := 1;
//    |   ^
// error: constant `c` cannot be changed
//   --> input.bpl:13:3
//    |
//  2 | const c: int;
//    |       - declared here
// ...
// 13 |   c := 2;
//    |   ^
// error: parameter `x` cannot be changed
//   --> input.bpl:14:9
//    |
//  7 | procedure p(x: int) returns (r: int)
//    |             - declared here
// ...
// 14 |   havoc x;
//    |         ^
// error: `g` is assigned twice
//   --> input.bpl:15:6
//    |
// 15 |   g, g := 1, 2;
//    |   -  ^
//    |   |
//    |   first here
// error: 2 values cannot be assigned to 1 target
//   --> input.bpl:16:3
//    |
// 16 |   r := 1, 2;
//    |   ^^^^^^^^^^
// error: `break` stands in no loop
//   --> input.bpl:17:3
//    |
// 17 |   break;
//    |   ^^^^^^
// error: `here` labels no enclosing statement
//   --> input.bpl:18:24
//    |
// 18 |   while (true) { break here; }
//    |                        ^^^^
// error: procedure `p` has 1 parameter, but is given 2 arguments
//   --> input.bpl:19:13
//    |
//  7 | procedure p(x: int) returns (r: int)
//    |           - declared here
// ...
// 19 |   call r := p(1, 2);
//    |             ^
// error: procedure `p` has 1 result, but is given 0 targets
//   --> input.bpl:20:8
//    |
//  7 | procedure p(x: int) returns (r: int)
//    |           - declared here
// ...
// 20 |   call p(1);
//    |        ^
// error: `r` is assigned twice
//   --> input.bpl:21:11
//    |
// 21 |   call r, r := two();
//    |        -  ^
//    |        |
//    |        first here
// error: parameter `x` cannot be changed
//   --> input.bpl:22:8
//    |
//  7 | procedure p(x: int) returns (r: int)
//    |             - declared here
// ...
// 22 |   call x := p(1);
//    |        ^
// error: a result of type `int` is assigned to `z` of type `real`
//   --> input.bpl:25:51
//    |
// 25 | procedure three() { var z: real; var y: int; call z, y := two(); }
//    |                                                   ^
// error: a result of type `bool` is assigned to `y` of type `int`
//   --> input.bpl:25:54
//    |
// 25 | procedure three() { var z: real; var y: int; call z, y := two(); }
//    |                                                      ^
// error: the parameters and results are not those of procedure `four`
//   --> input.bpl:27:16
//    |
// 26 | procedure four(x: int);
//    |           ---- declared here
// 27 | implementation four(x: bool) { }
//    |                ^^^^
// error: `where` belongs to the procedure, not to its implementation
//   --> input.bpl:28:34
//    |
// 28 | implementation four(x: int where x > 0) { }
//    |                                  ^^^^^
// error: a function of the solver cannot have a body
//   --> input.bpl:29:12
//    |
// 29 | function {:builtin "bvadd"} with_body(x: bv8, y: bv8) returns (bv8) { x }
//    |            ^^^^^^^
// error: the signature does not fit the builtin operation
//   --> input.bpl:30:29
//    |
// 30 | function {:builtin "bvadd"} wrong_signature(x: bv8, y: bv4) returns (bv8);
//    |                             ^^^^^^^^^^^^^^^
// error: expected one string that names a function of the solver
//   --> input.bpl:31:12
//    |
// 31 | function {:builtin 3} no_string(x: bv8) returns (bv8);
//    |            ^^^^^^^
