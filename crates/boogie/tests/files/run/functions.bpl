//@ run
//@ run defined
//@ run endless
//@ run even_odd
//@ run uninterpreted
type T;
function fac(n: int) returns (int) { if n <= 0 then 1 else n * fac(n - 1) }
function forever(n: int) returns (int) { forever(n + 1) }
function even(n: int) returns (bool) { n == 0 || odd(n - 1) }
function odd(n: int) returns (bool) { n != 0 && even(n - 1) }
function f(x: int, y: T) returns (T);
const t: T;
function all_below(n: int) returns (bool) { (forall i: int :: 0 <= i && i < n ==> all_below(i) && i < n) }
procedure defined() { assert fac(20) == 2432902008176640000 && all_below(5); }
procedure endless() returns (x: int) { x := forever(0); }
procedure even_odd() { assert even(1000) && !odd(1000); }
procedure uninterpreted() returns (x: T, y: T) { x := f(1, t); y := f(2, x); assert x == y; }
//@ expect
// defined: Finished
//   the definition of `forever` is not checked
//   the definition of `even` is not checked
//   the definition of `odd` is not checked
// endless: no value of `forever(n + 1)`: the functions call each other too deep
//   x = 0
//   the definition of `forever` is not checked
//   the definition of `even` is not checked
//   the definition of `odd` is not checked
// even_odd: Finished
//   the definition of `forever` is not checked
//   the definition of `even` is not checked
//   the definition of `odd` is not checked
// uninterpreted: Finished
//   x = element!0
//   y = element!0
//   the definition of `forever` is not checked
//   the definition of `even` is not checked
//   the definition of `odd` is not checked
