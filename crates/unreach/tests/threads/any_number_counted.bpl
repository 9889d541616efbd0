// check: asserts
// verdict: safe
// The loop counts the threads that it starts; each of them adds one, and some of that may be lost.
var sum, most: int;

procedure ULTIMATE.start()
modifies sum;
{
  var started: int;
  started := 0;
  sum := 0;
  while (started < most) {
    fork started add();
    started := started + 1;
  }
}

procedure add()
modifies sum;
{
  var seen: int;
  seen := sum;
  sum := seen + 1;
  assert sum <= most;
}
