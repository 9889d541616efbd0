//@ run
//@ run arrays
//@ run equality
//@ run finite
//@ run nested values [int][int]int:[int]int:5
procedure arrays() returns (m: [int]int, n: [int, bool]int)
{
  var i: int;
  i := 0;
  while (i < 5) { m[i * i] := i; i := i + 1; }
  assert m[16] == 4 && m[5] == 0;
  m[0] := 7;
}
procedure equality() returns (a: [int]int, b: [int]int)
{
  a := a[1 := 2][3 := 4];
  b := b[3 := 4][1 := 1][1 := 2];
  assert a == b;
  a[9] := 0;
  assert a == b;
  b[9] := 1;
  assert a == b;
}
procedure finite() returns (a: [bool]int, b: [bool]int)
{
  a := a[true := 1][false := 2];
  b := b[false := 2];
  assert a != b;
  b[true] := 1;
  assert a == b;
  b[false] := 1;
  assert (forall x: bool :: b[x] == 1) && b != a;
}
procedure nested() returns (m: [int][int]int)
{
  m[1][2] := 3;
  assert m[1][2] == 3 && m[1][3] == 5 && m[2][2] == 5;
}
//@ expect
// arrays: Finished
//   m = [0 := 7, 1 := 1, 4 := 2, 9 := 3, 16 := 4, else 0]
//   n = [else 0]
//   i = 5
// equality: Assert fails, `assert a == b;` at 22:3
//   a = [1 := 2, 3 := 4, else 0]
//   b = [1 := 2, 3 := 4, 9 := 1, else 0]
// finite: Finished
//   a = [true := 1, else 2]
//   b = [else 1]
// nested values [int][int]int:[int]int:5: Finished
//   m = [1 := [2 := 3, else 5], else [else 5]]
