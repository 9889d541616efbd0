// check: asserts
// verdict: safe
// Tickets count modulo three, and any number of threads take them: what a thread's ticket says depends on two other numbers at once.
var next, serving, inside: int;

procedure customer()
  modifies next, serving, inside;
{
  var mine: int;
  atomic {
    assume (next + 1) mod 3 != serving;
    mine := next;
    next := (next + 1) mod 3;
  }
  assume serving == mine;
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
  serving := (serving + 1) mod 3;
}

procedure ULTIMATE.start()
  modifies next, serving, inside;
{
  next := 0;
  serving := 0;
  inside := 0;
  while (true) {
    fork 0 customer();
  }
}
