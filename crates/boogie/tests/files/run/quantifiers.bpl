//@ run
//@ run bounded
//@ run bounds_depend
//@ run unbounded
//@ run lazy
axiom (forall x: int :: x == x);
axiom 1 + 1 == 2;
procedure bounded() returns (m: [int]int)
{
  m[3] := 1;
  assert (exists i: int :: 0 <= i && i < 10 && m[i] == 1);
  assert (forall i: int :: 0 <= i && i < 10 ==> m[i] == 0 || i == 3);
  assert (forall i: int, b: bool :: i > 0 && 5 >= i ==> b || !b ==> i != 6);
  assert (forall i: int :: 5 < i && i < 3 ==> false);
  assert (exists i: int :: i == 7 && i > 3);
}
procedure bounds_depend()
{
  assert (forall i: int, j: int :: 0 <= i && i < 5 && i < j && j <= 2 * i ==> j - i <= 4);
  assert (exists i: int :: 0 < i && i < 9 && (exists j: int :: i < j && j < 9 && i * j == 35));
}
procedure unbounded() { assert (forall i: int :: i < i + 1); }
procedure lazy() { assert true || (forall i: int :: i < i + 1); }
//@ expect
// bounded: Finished
//   m = [3 := 1, else 0]
//   axiom 0 is not checked: the quantifier ranges over too many values
// bounds_depend: Finished
//   axiom 0 is not checked: the quantifier ranges over too many values
// unbounded: no value of `(forall i: int :: i < i + 1)`: the quantifier ranges over too many values
//   axiom 0 is not checked: the quantifier ranges over too many values
// lazy: Finished
//   axiom 0 is not checked: the quantifier ranges over too many values
