//@ ir
// Names that hide others are renamed; reserved words get a backslash; parameters without name get one.
const c: int;
var x: int;
var \if: bool;
function f(c: int, x: int) returns (int) { c + x }
function g(int, argument0: bool) returns (int);
axiom (forall c: int :: (exists x: int, c: int :: c == x));
axiom (forall i: int :: i == i) && (forall i: int :: i == c);
procedure p(x: int) returns (c: int)
  requires (forall x: int :: x == x);
  modifies x, \if;
{
  var x#1: int;
  x#1 := x;
  \if := (exists x: int, y: int :: x == y);
}
procedure q(y: int);
  modifies x;
implementation q(z: int) {
  var y: int;
  y := z;
  x := (if (forall y: int :: y == z) then y else z);
}
//@ expect
// const c: int;
// function f(c#1: int, x: int) returns (int) { c#1 + x }
// function g(argument0': int, argument0: bool) returns (int);
// axiom (forall c#2: int :: (exists x: int, c#3: int :: c#3 == x));
// axiom (forall i: int :: i == i) && (forall i: int :: i == c);
// var x: int;
// var \if: bool;
//
// procedure p(x#2: int) returns (c#4: int)
//   requires (forall x#3: int :: x#3 == x#3);
//   modifies x, \if;
// {
//   var x#1: int;
//
// entry1:
//   x#1 := x#2;
//   \if := (exists x#4: int, y: int :: x#4 == y);
//   return;
// }
//
// procedure q(y: int)
//   modifies x;
// {
//   var y#1: int;
//
// entry1:
//   y#1 := y;
//   x := if (forall y#2: int :: y#2 == y) then y#1 else y;
//   return;
// }
