//@ messages
fnction g() returns (int);
// One message per declaration with a mistake; reading goes on at the next one.
var x int;
var y: int
procedure p() { x := ; }
procedure q() { assert (1 + 2; }
axiom a < b < c;
axiom a && b || c;
axiom a ==> b <== c;
axiom (forall x :: x);
function f(x: int) returns;
type = int;
const c: ;
procedure r() free modifies x;
procedure s() { call x, y; }
procedure t() { var z: int; var w int; z := 1; }
procedure u() { if (x) y := 1; }
axiom {:1} true;
axiom "string";
implementation v();
procedure w() { else }
axiom x @ y;
axiom m[1;
var last: int; /* never closed
//@ expect
// error: expected a declaration, found identifier `fnction`
//  --> input.bpl:2:1
//   |
// 2 | fnction g() returns (int);
//   | ^^^^^^^ expected a declaration
// error: expected `:`, found `int`
//  --> input.bpl:4:7
//   |
// 4 | var x int;
//   |       ^^^ expected `:`
// error: expected `;`, found `procedure`
//  --> input.bpl:5:11
//   |
// 5 | var y: int
//   |           ^ expected `;`
// error: expected an expression, found `;`
//  --> input.bpl:6:22
//   |
// 6 | procedure p() { x := ; }
//   |                      ^ expected an expression
// error: expected `)`, found `;`
//  --> input.bpl:7:30
//   |
// 7 | procedure q() { assert (1 + 2; }
//   |                        -     ^ expected `)`
//   |                        |
//   |                        opened here
// error: `<` cannot be chained
//  --> input.bpl:8:13
//   |
// 8 | axiom a < b < c;
//   |             ^
//   |
//   = help: put parentheses around one of the two
// error: `&&` and `||` cannot be mixed without parentheses
//  --> input.bpl:9:14
//   |
// 9 | axiom a && b || c;
//   |              ^^
//   |
//   = help: put parentheses around one of the two
// error: `==>` and `<==` cannot be mixed without parentheses
//   --> input.bpl:10:15
//    |
// 10 | axiom a ==> b <== c;
//    |               ^^^
//    |
//    = help: put parentheses around one of the two
// error: expected `:`, found `::`
//   --> input.bpl:11:17
//    |
// 11 | axiom (forall x :: x);
//    |                 ^^ expected `:`
// error: expected `(`, found `;`
//   --> input.bpl:12:27
//    |
// 12 | function f(x: int) returns;
//    |                           ^ expected `(`
// error: expected an identifier, found `=`
//   --> input.bpl:13:6
//    |
// 13 | type = int;
//    |      ^ expected an identifier
// error: expected a type, found `;`
//   --> input.bpl:14:10
//    |
// 14 | const c: ;
//    |          ^ expected a type
// error: expected `{`, found `procedure`
//   --> input.bpl:16:1
//    |
// 16 | procedure s() { call x, y; }
//    | ^^^^^^^^^ expected `{`
// error: expected `:=`, found `;`
//   --> input.bpl:16:26
//    |
// 16 | procedure s() { call x, y; }
//    |                          ^ expected `:=`
// error: expected `:`, found `int`
//   --> input.bpl:17:35
//    |
// 17 | procedure t() { var z: int; var w int; z := 1; }
//    |                                   ^^^ expected `:`
// error: expected `{`, found identifier `y`
//   --> input.bpl:18:24
//    |
// 18 | procedure u() { if (x) y := 1; }
//    |                        ^ expected `{`
// error: expected the name of an attribute, found a number
//   --> input.bpl:19:9
//    |
// 19 | axiom {:1} true;
//    |         ^ expected the name of an attribute
// error: expected an expression, found a string
//   --> input.bpl:20:7
//    |
// 20 | axiom "string";
//    |       ^^^^^^^^ expected an expression
// error: expected `{`, found `;`
//   --> input.bpl:21:19
//    |
// 21 | implementation v();
//    |                   ^ expected `{`
// error: expected a statement, found `else`
//   --> input.bpl:22:17
//    |
// 22 | procedure w() { else }
//    |                 ^^^^ expected a statement
// error: expected `;`, found unknown character `@`
//   --> input.bpl:23:9
//    |
// 23 | axiom x @ y;
//    |         ^ expected `;`
// error: expected `]`, found `;`
//   --> input.bpl:24:10
//    |
// 24 | axiom m[1;
//    |          ^ expected `]`
// error: expected a declaration, found an unterminated comment
//   --> input.bpl:25:16
//    |
// 25 | var last: int; /* never closed
//    |                ^^^^^^^^^^^^^^^ expected a declaration
