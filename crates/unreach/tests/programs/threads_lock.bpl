//@ verdict: safe
var x: int;
var lock: bool;

procedure ULTIMATE.start()
  modifies x, lock;
{
  x := 0;
  lock := false;
  fork 1 increment();
  fork 2 increment();
  join 1; join 2;
  assert x == 2;
}

procedure increment()
  modifies x, lock;
{
  var t: int;
  atomic { assume !lock; lock := true; }
  t := x;
  x := t + 1;
  lock := false;
}
