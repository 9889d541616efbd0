//@ messages
// What parses but has no meaning yet is named with its place.
type Poly = <a>[a]int;
const p: Poly;
const f: float24e8;
const s: string;
const o: int extends o complete;
const w: bv100000;
function id<a>(x: a) returns (a);
function {:builtin "fp.add"} add(x: int, y: int) returns (int);
function {:smtdefined "(+ x y)"} sum(x: int, y: int) returns (int);
axiom (lambda x: int :: x)[1] == 1;
axiom (forall<a> x: a :: id(x) == x);
axiom 2.0 ** 3.0 == 8.0;
axiom o <: o;
axiom 0x1.0e0f24e8 == 0x1.0e0f24e8;
procedure poly<a>(x: a) returns (y: a);
procedure q(x: int)
{
  var i: int;
  fork 1 q(1);
  join 1;
  atomic { i := 1; }
  yield;
  call async q(1);
  par q(1) | q(2);
  call forall q(*);
  call q(*);
  call i := poly(1);
}
//@ expect
// error: unsupported: polymorphic maps
//  --> input.bpl:3:13
//   |
// 3 | type Poly = <a>[a]int;
//   |             ^^^^^^^^^
// error: unsupported: floating-point types
//  --> input.bpl:5:10
//   |
// 5 | const f: float24e8;
//   |          ^^^^^^^^^
// error: unsupported: type `string`
//  --> input.bpl:6:10
//   |
// 6 | const s: string;
//   |          ^^^^^^
// error: unsupported: the partial order of constants
//  --> input.bpl:7:14
//   |
// 7 | const o: int extends o complete;
//   |              ^^^^^^^^^^^^^^^^^^
// error: unsupported: bit-vectors of more than 65536 bits
//  --> input.bpl:8:10
//   |
// 8 | const w: bv100000;
//   |          ^^^^^^^^
// error: unsupported: polymorphic functions
//  --> input.bpl:9:10
//   |
// 9 | function id<a>(x: a) returns (a);
//   |          ^^
// error: unsupported: builtin function "fp.add"
//   --> input.bpl:10:12
//    |
// 10 | function {:builtin "fp.add"} add(x: int, y: int) returns (int);
//    |            ^^^^^^^
// error: unsupported: functions that are defined by SMT-LIB text
//   --> input.bpl:11:12
//    |
// 11 | function {:smtdefined "(+ x y)"} sum(x: int, y: int) returns (int);
//    |            ^^^^^^^^^^
// error: unsupported: lambda expressions
//   --> input.bpl:12:7
//    |
// 12 | axiom (lambda x: int :: x)[1] == 1;
//    |       ^^^^^^^^^^^^^^^^^^^^
// error: unsupported: quantifiers over types
//   --> input.bpl:13:7
//    |
// 13 | axiom (forall<a> x: a :: id(x) == x);
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// error: unsupported: the power operator
//   --> input.bpl:14:7
//    |
// 14 | axiom 2.0 ** 3.0 == 8.0;
//    |       ^^^^^^^^^^
// error: unsupported: the partial order of constants
//   --> input.bpl:15:7
//    |
// 15 | axiom o <: o;
//    |       ^^^^^^
// error: unsupported: floating-point types
//   --> input.bpl:16:7
//    |
// 16 | axiom 0x1.0e0f24e8 == 0x1.0e0f24e8;
//    |       ^^^^^^^^^^^^
// error: unsupported: floating-point types
//   --> input.bpl:16:23
//    |
// 16 | axiom 0x1.0e0f24e8 == 0x1.0e0f24e8;
//    |                       ^^^^^^^^^^^^
// error: unsupported: polymorphic procedures
//   --> input.bpl:17:11
//    |
// 17 | procedure poly<a>(x: a) returns (y: a);
//    |           ^^^^
// error: unsupported: fork statements
//   --> input.bpl:21:3
//    |
// 21 |   fork 1 q(1);
//    |   ^^^^^^^^^^^^
// error: unsupported: join statements
//   --> input.bpl:22:3
//    |
// 22 |   join 1;
//    |   ^^^^^^^
// error: unsupported: atomic blocks
//   --> input.bpl:23:3
//    |
// 23 |   atomic { i := 1; }
//    |   ^^^^^^
// error: unsupported: yield statements
//   --> input.bpl:24:3
//    |
// 24 |   yield;
//    |   ^^^^^^
// error: unsupported: asynchronous calls
//   --> input.bpl:25:3
//    |
// 25 |   call async q(1);
//    |   ^^^^^^^^^^^^^^^^
// error: unsupported: parallel calls
//   --> input.bpl:26:3
//    |
// 26 |   par q(1) | q(2);
//    |   ^^^^^^^^^^^^^^^^
// error: unsupported: call forall
//   --> input.bpl:27:3
//    |
// 27 |   call forall q(*);
//    |   ^^^^^^^^^^^^^^^^^
// error: unsupported: wildcard arguments
//   --> input.bpl:28:10
//    |
// 28 |   call q(*);
//    |          ^
