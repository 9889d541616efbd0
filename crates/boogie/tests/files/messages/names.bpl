//@ messages
type T; type T;
type U a a = T;
const c: int; const c: bool;
var c: int;
function f(x: int, x: bool) returns (int);
function f() returns (int);
procedure p(x: int) returns (x: int);
procedure p();
procedure q(y: int) {
  var y: bool;
  var z: Unknown;
  y := undeclared + z;
  call nothing();
  havoc nowhere;
  nobody := 1;
l:
l:
  goto m;
}
axiom (forall x: int, x: bool :: true) && g(1) == h;
implementation none() { }
procedure modifier();
  modifies c, missing;
//@ expect
// error: type `T` is declared twice
//  --> input.bpl:2:14
//   |
// 2 | type T; type T;
//   |      -       ^ second declaration
//   |      |
//   |      first declaration
// error: type parameter `a` is declared twice
//  --> input.bpl:3:10
//   |
// 3 | type U a a = T;
//   |        - ^ second declaration
//   |        |
//   |        first declaration
// error: variable or constant `c` is declared twice
//  --> input.bpl:4:21
//   |
// 4 | const c: int; const c: bool;
//   |       -             ^ second declaration
//   |       |
//   |       first declaration
// error: variable or constant `c` is declared twice
//  --> input.bpl:5:5
//   |
// 4 | const c: int; const c: bool;
//   |       - first declaration
// 5 | var c: int;
//   |     ^ second declaration
// error: parameter `x` is declared twice
//  --> input.bpl:6:20
//   |
// 6 | function f(x: int, x: bool) returns (int);
//   |            -       ^ second declaration
//   |            |
//   |            first declaration
// error: function `f` is declared twice
//  --> input.bpl:7:10
//   |
// 6 | function f(x: int, x: bool) returns (int);
//   |          - first declaration
// 7 | function f() returns (int);
//   |          ^ second declaration
// error: parameter `x` is declared twice
//  --> input.bpl:8:30
//   |
// 8 | procedure p(x: int) returns (x: int);
//   |             -                ^ second declaration
//   |             |
//   |             first declaration
// error: procedure `p` is declared twice
//  --> input.bpl:9:11
//   |
// 8 | procedure p(x: int) returns (x: int);
//   |           - first declaration
// 9 | procedure p();
//   |           ^ second declaration
// error: variable `y` is declared twice
//   --> input.bpl:11:7
//    |
// 10 | procedure q(y: int) {
//    |             - first declaration
// 11 |   var y: bool;
//    |       ^ second declaration
// error: type `Unknown` is not declared
//   --> input.bpl:12:10
//    |
// 12 |   var z: Unknown;
//    |          ^^^^^^^
// error: parameter `y` cannot be changed
//   --> input.bpl:13:3
//    |
// 10 | procedure q(y: int) {
//    |             - declared here
// ...
// 13 |   y := undeclared + z;
//    |   ^
// error: procedure `nothing` is not declared
//   --> input.bpl:14:8
//    |
// 14 |   call nothing();
//    |        ^^^^^^^
// error: `nowhere` is not declared
//   --> input.bpl:15:9
//    |
// 15 |   havoc nowhere;
//    |         ^^^^^^^
// error: `nobody` is not declared
//   --> input.bpl:16:3
//    |
// 16 |   nobody := 1;
//    |   ^^^^^^
// error: label `l` is declared twice
//   --> input.bpl:18:1
//    |
// 17 | l:
//    | -- first declaration
// 18 | l:
//    | ^^ second declaration
// error: label `m` does not exist in this body
//   --> input.bpl:19:8
//    |
// 19 |   goto m;
//    |        ^
// error: variable `x` is declared twice
//   --> input.bpl:21:23
//    |
// 21 | axiom (forall x: int, x: bool :: true) && g(1) == h;
//    |               -       ^ second declaration
//    |               |
//    |               first declaration
// error: function `g` is not declared
//   --> input.bpl:21:43
//    |
// 21 | axiom (forall x: int, x: bool :: true) && g(1) == h;
//    |                                           ^
// error: `h` is not declared
//   --> input.bpl:21:51
//    |
// 21 | axiom (forall x: int, x: bool :: true) && g(1) == h;
//    |                                                   ^
// error: procedure `none` is not declared
//   --> input.bpl:22:16
//    |
// 22 | implementation none() { }
//    |                ^^^^
// error: constant `c` cannot be modified
//   --> input.bpl:24:12
//    |
// 24 |   modifies c, missing;
//    |            ^
// error: global variable `missing` is not declared
//   --> input.bpl:24:15
//    |
// 24 |   modifies c, missing;
//    |               ^^^^^^^
