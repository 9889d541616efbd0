//@ verdict: unknown
//@ ltl invariant stays: []AP(x == 0);
// Where a front end has given up, an execution is neither over nor a violation.
var x: int;
procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  if (*) {
    assert {:property "unknown: what comes then"} false;
    assume false;
  }
  while (true) { x := 0; }
}
