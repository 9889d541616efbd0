//@ verdict: safe
var x: int;

procedure ULTIMATE.start()
{
  fork 1 down(3);
}

procedure down(n: int)
{
  if (n > 0) {
    call down(n - 1);
  }
}
