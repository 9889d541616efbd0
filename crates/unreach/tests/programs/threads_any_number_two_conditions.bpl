//@ verdict: safe
// Any number of threads. What holds of x and y depends on two variables at once, which have any number of values.
var n, m, x, y: int;

procedure ULTIMATE.start()
  modifies n, m, x, y;
{
  n := 0;
  m := 0;
  while (*) {
    fork 0 worker();
  }
}

procedure worker()
  modifies n, m, x, y;
{
  atomic {
    havoc n, m;
    assume n != 7 || m != 8;
    y := y + 1;
  }
  atomic {
    n := 7;
    m := 8;
    x := y;
  }
  atomic {
    assume n == 7;
    assume m == 8;
    assert x >= y;
  }
}
