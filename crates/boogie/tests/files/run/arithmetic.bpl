//@ run
//@ run division
//@ run by_zero
//@ run reals
//@ run large
procedure division()
{
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert -7 div 2 == -4 && -7 mod 2 == 1;
  assert 7 div -2 == -3 && 7 mod -2 == 1;
  assert -7 div -2 == 4 && -7 mod -2 == 1;
}
procedure by_zero() returns (a: int, b: int, c: real)
{
  a := 5 div 0;
  b := 5 mod 0;
  c := 5.0 / 0.0;
}
procedure reals() returns (x: real, i: int, j: int)
{
  x := 1.0 / 3.0 + 0.25;
  assert x * 12.0 == 7.0;
  i := int(-2.5);
  j := int(real(7));
  assert i < j && x < 1.0;
}
procedure large() returns (x: int)
{
  var i: int;
  x := 3;
  i := 0;
  while (i < 6) { x := x * x; i := i + 1; }
  assert x == 3433683820292512484657849089281;
  while (true) { x := x * x; }
}
//@ expect
// division: Finished
// by_zero: Finished
//   a = 0
//   b = 0
//   c = 0.0
// reals: Finished
//   x = 7.0 / 12.0
//   i = -3
//   j = 7
// large: no value of `x * x`: the number is too large
//   x = 887962166988789307357823543991403751315632374177170130653096
//   i = 6
