//@ verdict: unsafe
//@ fails: 25
// The lock is looked at and taken in two steps, so two threads can have it.
var count, lock: int;

procedure ULTIMATE.start()
  modifies count, lock;
{
  lock := 0;
  count := 0;
  while (*) {
    fork 0 counter();
  }
}

procedure counter()
  modifies count, lock;
{
  var seen: int;
  assume lock == 0;
  lock := 1;
  seen := count;
  count := seen + 1;
  // Another thread may have counted as well.
  assert count == seen + 1;
  lock := 0;
}
