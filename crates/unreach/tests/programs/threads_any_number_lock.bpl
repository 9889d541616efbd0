//@ verdict: safe
// Any number of threads count under a lock; whoever holds it sees what it has written.
var count, lock: int;

procedure ULTIMATE.start()
  modifies count, lock;
{
  lock := 0;
  count := 0;
  while (*) {
    fork 0 counter();
  }
  assert count >= 0;
}

procedure counter()
  modifies count, lock;
{
  var seen: int;
  atomic { assume lock == 0; lock := 1; }
  seen := count;
  count := seen + 1;
  assert count == seen + 1;
  lock := 0;
}
