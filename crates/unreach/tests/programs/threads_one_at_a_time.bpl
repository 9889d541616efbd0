//@ verdict: safe
// Any number of threads, but never two at once.
var x: int;

procedure ULTIMATE.start()
  modifies x;
{
  var i: int;
  i := 0;
  x := 0;
  while (*) {
    fork i step();
    join i;
    i := i + 1;
    assert x == 0;
  }
}

procedure step()
  modifies x;
{
  x := x + 1;
  x := x - 1;
}
