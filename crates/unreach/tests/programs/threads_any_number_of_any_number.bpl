//@ verdict: unsafe
//@ fails: 30
// Threads start threads, which hand over a number; that it is never the last one is wrong.
var last: int;

procedure ULTIMATE.start()
  modifies last;
{
  last := 0;
  while (*) {
    fork 0 first();
  }
}

procedure first()
  modifies last;
{
  var got: int;
  fork 1 second(1);
  join 1 assign got;
  last := got;
  fork 1 second(2);
}

procedure second(given: int)
  returns (left: int)
  modifies last;
{
  left := given + 1;
  assert last < 2 || given == 1;
}
