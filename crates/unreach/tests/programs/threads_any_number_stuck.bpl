//@ verdict: unsafe
//@ fails: 14
// What a thread has written is there for others, although it never comes to its next step.
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  while (*) {
    fork 0 waits();
  }
  // One thread is enough.
  assert x == 0;
}

procedure waits()
  modifies x;
{
  var ready: bool;
  ready := false;
  x := 1;
  assume ready;
  x := 0;
}
