//@ ir
// Every kind of expression in its normal form.
const c: int;
const b: bool;
const m: [int, bool][int]real;
const v: bv8;
function f(x: int, y: bool) returns (bool);
axiom -5 - -c * (2 + 3) == (-c) - (-5);
axiom 7 / 2 == 7 div 2 && 7 % 2 == 7 mod 2 && -7 div 2 == -4;
axiom 1.5 / 2.0 == real(c) / 2.0 && c / 2.0 < 1e3 && 2.0 / c == -0.125;
axiom int(1.50) == 1 && real(1) == 100e-2;
axiom (b <== (b ==> b)) <==> ((b ==> b) ==> b) && (b || !b);
axiom (b ==> b) ==> b ==> b;
axiom ((b && b) && (b && b)) || (b || b) || (b && b);
axiom m[1, b := m[2, !b]][1, true][3] == m[1, b][c := 1.0][c];
axiom (if b then c else 1 + c) > (if b then if b then 1 else 2 else 3);
axiom v[4:0] ++ v[8:4] == 255bv8 && v[8:8] ++ v == v;
axiom (forall x: int, y: bool :: {:weight 3} { f(x, y) } { f(x, !y), f(c, y) } f(x, y) ==> (exists z: int :: z == x));
axiom c: int == (c: int): int;
axiom ((((c)))) == c && (c == 1) == b;
//@ expect
// const c: int;
// const b: bool;
// const m: [int, bool][int]real;
// const v: bv8;
// function f(x: int, y: bool) returns (bool);
// axiom -5 - -c * (2 + 3) == -c - -5;
// axiom 7 div 2 == 7 div 2 && 7 mod 2 == 7 mod 2 && -7 div 2 == -4;
// axiom 1.5 / 2.0 == real(c) / 2.0 && real(c) / 2.0 < 1000.0 && 2.0 / real(c) == -0.125;
// axiom int(1.5) == 1 && real(1) == 1.0;
// axiom (b ==> b) ==> b <==> ((b ==> b) ==> b) && (b || !b);
// axiom (b ==> b) ==> b ==> b;
// axiom (b && b && (b && b)) || (b || b) || (b && b);
// axiom m[1, b := m[2, !b]][1, true][3] == m[1, b][c := 1.0][c];
// axiom (if b then c else 1 + c) > (if b then if b then 1 else 2 else 3);
// axiom v[4:0] ++ v[8:4] == 255bv8 && v[8:8] ++ v == v;
// axiom (forall x: int, y: bool :: {:weight 3} { f(x, y) } { f(x, !y), f(c, y) } f(x, y) ==> (exists z: int :: z == x));
// axiom c == c;
// axiom c == c && (c == 1) == b;
