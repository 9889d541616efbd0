//@ messages
type T; type Pair _ _;
type A = B; type B = [int]A;
const t: T int;
const u: Pair T;
const m: [int, bool]int;
const i: int; const r: real; const b: bool; const v: bv8;
function f(x: int, y: bool) returns (int);
function g(x: int) returns (bool) { x }
axiom i;
axiom i + r == 1;
axiom b && i;
axiom !i;
axiom -b == b;
axiom i == b;
axiom m[1] == 2;
axiom m[b, 1] == 2;
axiom i[0] == 1;
axiom m[1, true := b] == m;
axiom f(1) == 2;
axiom f(b, 1) == 2;
axiom (if i then 1 else 2) == 1;
axiom (if b then 1 else 2.0) == 1;
axiom v[9:0] == v && v[2:4] == v && i[2:1] == v;
axiom v ++ i == v;
axiom 256bv8 == v;
axiom r div 2.0 == r mod 2.0;
axiom r % 2.0 == 1.0;
axiom b / i == 1;
axiom int(i) == 1 && real(r) == 1.0;
axiom (i: bool) && (forall x: int :: x);
axiom (forall :: true);
axiom b < b;
axiom i <== b;
axiom 1e100001 == 1.0;
//@ expect
// error: type synonym `A` is defined by itself
//  --> input.bpl:3:27
//   |
// 3 | type A = B; type B = [int]A;
//   |                           ^
// error: type `T` has 0 parameters, but is given 1 argument
//  --> input.bpl:4:10
//   |
// 2 | type T; type Pair _ _;
//   |      - declared here
// 3 | type A = B; type B = [int]A;
// 4 | const t: T int;
//   |          ^^^^^
// error: type `Pair` has 2 parameters, but is given 1 argument
//  --> input.bpl:5:10
//   |
// 2 | type T; type Pair _ _;
//   |              ---- declared here
// ...
// 5 | const u: Pair T;
//   |          ^^^^^^
// error: expected type `bool`, found `int`
//  --> input.bpl:9:37
//   |
// 9 | function g(x: int) returns (bool) { x }
//   |                                     ^ this has type `int`
// error: expected type `bool`, found `int`
//   --> input.bpl:10:7
//    |
// 10 | axiom i;
//    |       ^ this has type `int`
// error: operator `+` is not defined on `int` and `real`
//   --> input.bpl:11:7
//    |
// 11 | axiom i + r == 1;
//    |       -^^^-
//    |       |   |
//    |       |   this has type `real`
//    |       this has type `int`
// error: operator `&&` is not defined on `bool` and `int`
//   --> input.bpl:12:7
//    |
// 12 | axiom b && i;
//    |       -^^^^-
//    |       |    |
//    |       |    this has type `int`
//    |       this has type `bool`
// error: operator `!` is not defined on `int`
//   --> input.bpl:13:7
//    |
// 13 | axiom !i;
//    |       ^-
//    |        |
//    |        this has type `int`
// error: operator `-` is not defined on `bool`
//   --> input.bpl:14:7
//    |
// 14 | axiom -b == b;
//    |       ^-
//    |        |
//    |        this has type `bool`
// error: operator `==` is not defined on `int` and `bool`
//   --> input.bpl:15:7
//    |
// 15 | axiom i == b;
//    |       -^^^^-
//    |       |    |
//    |       |    this has type `bool`
//    |       this has type `int`
// error: a map of type `[int, bool]int` takes 2 arguments, but is given 1
//   --> input.bpl:16:7
//    |
// 16 | axiom m[1] == 2;
//    |       ^^^^
// error: expected type `int`, found `bool`
//   --> input.bpl:17:9
//    |
// 17 | axiom m[b, 1] == 2;
//    |         ^ this has type `bool`
// error: expected type `bool`, found `int`
//   --> input.bpl:17:12
//    |
// 17 | axiom m[b, 1] == 2;
//    |            ^ this has type `int`
// error: expected a map, found type `int`
//   --> input.bpl:18:7
//    |
// 18 | axiom i[0] == 1;
//    |       ^ this is not a map
// error: expected type `int`, found `bool`
//   --> input.bpl:19:20
//    |
// 19 | axiom m[1, true := b] == m;
//    |                    ^ this has type `bool`
// error: function `f` has 2 parameters, but is given 1 argument
//   --> input.bpl:20:7
//    |
//  8 | function f(x: int, y: bool) returns (int);
//    |          - declared here
// ...
// 20 | axiom f(1) == 2;
//    |       ^^^^
// error: expected type `int`, found `bool`
//   --> input.bpl:21:9
//    |
// 21 | axiom f(b, 1) == 2;
//    |         ^ this has type `bool`
// error: expected type `bool`, found `int`
//   --> input.bpl:21:12
//    |
// 21 | axiom f(b, 1) == 2;
//    |            ^ this has type `int`
// error: expected type `bool`, found `int`
//   --> input.bpl:22:11
//    |
// 22 | axiom (if i then 1 else 2) == 1;
//    |           ^ this has type `int`
// error: expected type `int`, found `real`
//   --> input.bpl:23:25
//    |
// 23 | axiom (if b then 1 else 2.0) == 1;
//    |                         ^^^ this has type `real`
// error: the bits [9:0] do not lie within type `bv8`
//   --> input.bpl:24:9
//    |
// 24 | axiom v[9:0] == v && v[2:4] == v && i[2:1] == v;
//    |         ^^^
// error: the bits [2:4] do not lie within type `bv8`
//   --> input.bpl:24:24
//    |
// 24 | axiom v[9:0] == v && v[2:4] == v && i[2:1] == v;
//    |                        ^^^
// error: expected a bit-vector, found type `int`
//   --> input.bpl:24:37
//    |
// 24 | axiom v[9:0] == v && v[2:4] == v && i[2:1] == v;
//    |                                     ^
// error: operator `++` is not defined on `bv8` and `int`
//   --> input.bpl:25:7
//    |
// 25 | axiom v ++ i == v;
//    |       -^^^^-
//    |       |    |
//    |       |    this has type `int`
//    |       this has type `bv8`
// error: the number does not fit into 8 bits
//   --> input.bpl:26:7
//    |
// 26 | axiom 256bv8 == v;
//    |       ^^^^^^
// error: operator `div` is not defined on `real` and `real`
//   --> input.bpl:27:7
//    |
// 27 | axiom r div 2.0 == r mod 2.0;
//    |       -^^^^^---
//    |       |     |
//    |       |     this has type `real`
//    |       this has type `real`
// error: operator `mod` is not defined on `real` and `real`
//   --> input.bpl:27:20
//    |
// 27 | axiom r div 2.0 == r mod 2.0;
//    |                    -^^^^^---
//    |                    |     |
//    |                    |     this has type `real`
//    |                    this has type `real`
// error: operator `%` is not defined on `real` and `real`
//   --> input.bpl:28:7
//    |
// 28 | axiom r % 2.0 == 1.0;
//    |       -^^^---
//    |       |   |
//    |       |   this has type `real`
//    |       this has type `real`
// error: operator `/` is not defined on `bool` and `int`
//   --> input.bpl:29:7
//    |
// 29 | axiom b / i == 1;
//    |       -^^^-
//    |       |   |
//    |       |   this has type `int`
//    |       this has type `bool`
// error: expected type `real`, found `int`
//   --> input.bpl:30:11
//    |
// 30 | axiom int(i) == 1 && real(r) == 1.0;
//    |           ^ this has type `int`
// error: expected type `int`, found `real`
//   --> input.bpl:30:27
//    |
// 30 | axiom int(i) == 1 && real(r) == 1.0;
//    |                           ^ this has type `real`
// error: expected type `bool`, found `int`
//   --> input.bpl:31:8
//    |
// 31 | axiom (i: bool) && (forall x: int :: x);
//    |        ^ this has type `int`
// error: expected type `bool`, found `int`
//   --> input.bpl:31:38
//    |
// 31 | axiom (i: bool) && (forall x: int :: x);
//    |                                      ^ this has type `int`
// error: the quantifier binds no variable
//   --> input.bpl:32:7
//    |
// 32 | axiom (forall :: true);
//    |       ^^^^^^^^^^^^^^^^
// error: operator `<` is not defined on `bool` and `bool`
//   --> input.bpl:33:7
//    |
// 33 | axiom b < b;
//    |       -^^^-
//    |       |   |
//    |       |   this has type `bool`
//    |       this has type `bool`
// error: operator `<==` is not defined on `int` and `bool`
//   --> input.bpl:34:7
//    |
// 34 | axiom i <== b;
//    |       -^^^^^-
//    |       |     |
//    |       |     this has type `bool`
//    |       this has type `int`
// error: the exponent is larger than 100000
//   --> input.bpl:35:7
//    |
// 35 | axiom 1e100001 == 1.0;
//    |       ^^^^^^^^
