//@ verdict: safe
function choose<T>(b: bool, x: T, y: T) returns (T) { if b then x else y }
function size<T>(x: T) returns (int);
axiom size(true) == 1;
procedure main(m: [int]bool)
{
  assert choose(true, 1, 2) == 1 && choose(false, m, m[0 := true])[0];
  assert size(true) == 1;
}
