//@ verdict: safe
// A thread works with what it was given, and the next one with what it has left.
var next: int;

procedure ULTIMATE.start()
  modifies next;
{
  var given: int;
  next := 0;
  given := 1;
  while (*) {
    fork given helper(given);
    given := given + 1;
  }
}

procedure helper(mine: int)
  modifies next;
{
  assert mine >= 1;
  next := mine;
  assert next >= 1;
}
