//@ run
//@ run forever
//@ run deep
//@ run broken
procedure forever() { while (true) { } }
procedure deep(n: int) { call deep(n + 1); }
procedure broken()
{
  var i: int;
  i := 0;
  while (i < 10) invariant i < 5; { i := i + 1; }
}
//@ expect
// forever: OutOfSteps
// deep: TooManyCalls
//   n = 199
// broken: Invariant fails, `invariant i < 5` at 11:18
//   i = 5
