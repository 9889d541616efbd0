//@ verdict: unsafe
//@ fails: 12
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  x := 0;
  fork 1 increment();
  fork 2 increment();
  join 1; join 2;
  assert x == 2;
}

procedure increment()
  modifies x;
{
  var t: int;
  t := x;
  x := t + 1;
}
