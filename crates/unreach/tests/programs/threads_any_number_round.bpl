//@ verdict: unsafe
//@ fails: 14
// What a thread has written is there for others, although it goes round for ever without looking at anything.
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  while (*) {
    fork 0 turns();
  }
  // One thread is enough.
  assert x == 0;
}

procedure turns()
  modifies x;
{
  var rounds: int;
  x := 1;
  rounds := 0;
  while (true) {
    rounds := rounds + 1;
  }
}
