//@ verdict: safe
// Any number of threads at once, but what they do makes no difference.
var x, log: int;

procedure ULTIMATE.start()
  modifies x, log;
{
  x := 0;
  while (*) {
    fork 0 write();
  }
  assert x == 0;
}

procedure write()
  modifies log;
{
  log := x + log;
}
