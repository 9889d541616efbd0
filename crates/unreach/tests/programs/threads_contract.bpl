//@ verdict: unsafe
//@ fails: 17
// The postcondition of a thread holds at its end, or fails there.
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  fork 1 keep();
  x := 1;
}

procedure keep()
  ensures x == old(x);
{
}
