//@ run
//@ run choose values 3 true 1 9 targets 1
//@ run choose values 3 true 1 9 targets 0
//@ run choose values 3 true 1 -9 targets 1
//@ run choose values 3 true 1 targets 1
//@ run choose values 3 true 1 9 targets 2
//@ run choose values 3 1
//@ trace choose values 3 true 1 9 targets 1
var g: int where g > 0;
procedure choose(b: bool) returns (r: int)
  modifies g;
{
  if (*) { r := 1; } else { r := 2; }
  havoc g;
  assert g != 9;
}
//@ expect
// choose values 3 true 1 9 targets 1: Assert fails, `assert g != 9;` at 15:3
//   g = 9
//   b = true
//   r = 2
// choose values 3 true 1 9 targets 0: Assert fails, `assert g != 9;` at 15:3
//   g = 9
//   b = true
//   r = 1
// choose values 3 true 1 -9 targets 1: blocked by the where clause of g
//   g = -9
//   b = true
//   r = 2
// choose values 3 true 1 targets 1: no value for g
//   g = 3
//   b = true
//   r = 2
// choose values 3 true 1 9 targets 2: no target, `if (*)` at 13:3
//   g = 3
//   b = true
//   r = 1
// choose values 3 1: ill-typed value for b
//   g = 3
// choose values 3 true 1 9 targets 1: Assert fails, `assert g != 9;` at 15:3
//     enter choose
//     jump 1
//     r := 2;
//     jump 0
//     havoc g;
//   g = 9
//   b = true
//   r = 2
