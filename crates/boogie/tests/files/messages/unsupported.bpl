//@ messages
// What parses but has no meaning yet is named with its place; functions only if they are used.
function unused<a>(x: a, y: float8e24) returns (a);
function {:builtin "fp.sub"} also_unused(x: int) returns (int);
type Poly = <a>[a]<b>[b]int;
const p: Poly;
const f: float24e8;
const s: string;
const o: int extends o complete;
const w: bv100000;
function id<a>(x: a) returns (a);
function {:builtin "fp.add"} add(x: int, y: int) returns (int);
function {:smtdefined "(+ x y)"} sum(x: int, y: int) returns (int);
axiom id(1) == add(1, sum(2, 3)) + id(1);
const r: rmode;
axiom (forall<a> x: a :: id(x) == x);
axiom 2.0 ** 0.5 == 8.0;
axiom o <: o;
axiom 0x1.0e0f24e8 == 0x1.0e0f24e8;
procedure poly<a>(x: a) returns (y: a);
procedure q(x: int)
{
  var i: int;
  goto out, into;
  out: i := 1;
  atomic { into: i := 1; }
  yield;
  call async q(1);
  par q(1) | q(2);
  call forall q(*);
  call q(*);
  call i := poly(1);
}
//@ expect
// error: unsupported: polymorphic maps
//  --> input.bpl:5:19
//   |
// 5 | type Poly = <a>[a]<b>[b]int;
//   |                   ^^^^^^^^^
// error: unsupported: type `string`
//  --> input.bpl:8:10
//   |
// 8 | const s: string;
//   |          ^^^^^^
// error: unsupported: bit-vectors of more than 65536 bits
//   --> input.bpl:10:10
//    |
// 10 | const w: bv100000;
//    |          ^^^^^^^^
// error: unsupported: builtin function "fp.add"
//   --> input.bpl:12:12
//    |
// 12 | function {:builtin "fp.add"} add(x: int, y: int) returns (int);
//    |            ^^^^^^^
// error: unsupported: functions that are defined by SMT-LIB text
//   --> input.bpl:13:12
//    |
// 13 | function {:smtdefined "(+ x y)"} sum(x: int, y: int) returns (int);
//    |            ^^^^^^^^^^
// error: unsupported: powers whose exponent is not a literal up to 64
//   --> input.bpl:17:7
//    |
// 17 | axiom 2.0 ** 0.5 == 8.0;
//    |       ^^^^^^^^^^
// error: unsupported: jumps between atomic blocks
//   --> input.bpl:24:3
//    |
// 24 |   goto out, into;
//    |   ^^^^^^^^^^^^^^^
// error: unsupported: yield statements
//   --> input.bpl:27:3
//    |
// 27 |   yield;
//    |   ^^^^^^
// error: unsupported: asynchronous calls
//   --> input.bpl:28:3
//    |
// 28 |   call async q(1);
//    |   ^^^^^^^^^^^^^^^^
// error: unsupported: parallel calls
//   --> input.bpl:29:3
//    |
// 29 |   par q(1) | q(2);
//    |   ^^^^^^^^^^^^^^^^
// error: unsupported: call forall
//   --> input.bpl:30:3
//    |
// 30 |   call forall q(*);
//    |   ^^^^^^^^^^^^^^^^^
// error: unsupported: wildcard arguments
//   --> input.bpl:31:10
//    |
// 31 |   call q(*);
//    |          ^
