//@ ast
type {:a} T;
type finite Pair _ _, Seq a;
type Map a b = [a, b]Pair a (Seq b);
type Poly = <a>[Pair a ([int]bool)]a;
type Point = { x, y: int, name: T };
const {:b 1, "two", 3 + 4} unique c, d: int;
const e: T extends unique c, d complete;
const f: T uses { axiom f == f; }
function {:inline} g<a>(x: a, {:c} int, y: bool) returns (r: int);
function h(): bool { true }
function i(x: int): int { x } uses { axiom i(1) == 1; }
axiom {:d} g(1, 2, true) == 3;
var {:e} v, w: int where v > 0, u: real;
procedure {:f} p<a>({:g} x, y: int where x < y, z: a) returns (r: int);
  free requires {:h} x > 0;
  modifies v, w;
  modifies;
  free ensures r == old(v);
  ensures true;
procedure q()
  requires true;
{
}
implementation {:i} p<a>(x: int, y: int, z: a) returns (r: int) { var b, c: bool; var d: int where d > 0; return; }
//@ expect
// type {:a} T;
// type Pair _ _;
// type Seq a;
// type Map a b = [a, b]Pair a (Seq b);
// type Poly = <a>[Pair a ([int]bool)]a;
// type Point = { x: int, y: int, name: T };
// const {:b 1, "two", (3 + 4)} unique c, d: int;
// const e: T extends unique c, d complete;
// axiom (f == f);
// const f: T;
// function {:inline} g<a>(x: a, {:c} int, y: bool) returns (r: int);
// function h() returns (bool) { true }
// axiom (i(1) == 1);
// function i(x: int) returns (int) { x }
// axiom {:d} (g(1, 2, true) == 3);
// var {:e} v: int where (v > 0);
// var {:e} w: int where (v > 0);
// var {:e} u: real;
//
// procedure {:f} p<a>({:g} x: int where (x < y), {:g} y: int where (x < y), z: a) returns (r: int);
//   free requires {:h} (x > 0);
//   modifies v, w;
//   free ensures (r == old(v));
//   ensures true;
//
// procedure q()
//   requires true;
// {
// }
//
// implementation {:i} p<a>(x: int, y: int, z: a) returns (r: int)
// {
//   var b: bool;
//   var c: bool;
//   var d: int where (d > 0);
//   return;
// }
