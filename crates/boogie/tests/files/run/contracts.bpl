//@ run
//@ run caller values 1 0 0 7 3 5
//@ run caller values 1 0 0 7 4 6
//@ run caller values 1 0 0 7 -3 -1
//@ run caller values 9 0 0 7 3 5
//@ run caller values 1 0 0 7 3 6
//@ run caller values 1 0 0 7
//@ run bad_call values 1 0 0
//@ run entry values 0 -1
//@ run entry values 0 1
//@ run entry values 0 5
//@ run old_values values 10
//@ trace recursive values 0 2 0 0 0
var g: int;
procedure contract(x: int) returns (y: int where y > 0, z: int);
  requires x > 0;
  ensures g > old(g);
  ensures z == y + x;
  modifies g;
procedure caller() returns (a: int, b: int)
  modifies g;
{
  call a, b := contract(2);
  assert a != 4;
}
procedure bad_call() { call bad(); }
procedure bad() { var a: int; var b: int; call a, b := contract(0); }
procedure entry(x: int)
  requires x > 0;
  ensures x > 3;
{
}
procedure old_values()
  modifies g;
  ensures g == old(g) + 2;
{
  g := g + 1;
  assert old(g) + 1 == g;
  call plus_one();
}
procedure plus_one()
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
}
procedure recursive(n: int) returns (r: int)
  free ensures r >= 0;
{
  if (n > 0) {
    call r := recursive(n - 1);
  }
  r := r + 1;
}
//@ expect
// caller values 1 0 0 7 3 5: Finished
//   g = 7
//   a = 3
//   b = 5
// caller values 1 0 0 7 4 6: Assert fails, `assert a != 4;` at 24:3
//   g = 7
//   a = 4
//   b = 6
// caller values 1 0 0 7 -3 -1: blocked by the where clause of y
//   g = 7
//   a = 0
//   b = 0
// caller values 9 0 0 7 3 5: blocked by `ensures g > old(g)` of contract
//   g = 7
//   a = 0
//   b = 0
// caller values 1 0 0 7 3 6: blocked by `ensures z == y + x` of contract
//   g = 7
//   a = 0
//   b = 0
// caller values 1 0 0 7: no value for y
//   g = 7
//   a = 0
//   b = 0
// bad_call values 1 0 0: `requires x > 0` of contract fails, `call a, b := contract(0);` at 27:43
//   g = 1
//   a = 0
//   b = 0
// entry values 0 -1: blocked by `requires x > 0` of entry
//   g = 0
//   x = -1
// entry values 0 1: `ensures x > 3` of entry fails, `}` at 32:1
//   g = 0
//   x = 1
// entry values 0 5: Finished
//   g = 0
//   x = 5
// old_values values 10: Finished
//   g = 12
// recursive values 0 2 0 0 0: Finished
//     enter recursive
//     branch true
//       enter recursive
//       branch true
//         enter recursive
//         branch false
//         r := r + 1;
//         leave
//       returned
//       jump 0
//       r := r + 1;
//       leave
//     returned
//     jump 0
//     r := r + 1;
//     leave
//   g = 0
//   n = 2
//   r = 3
