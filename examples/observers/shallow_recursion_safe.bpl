procedure walk(n: int)
{
  if (n > 0) { call walk(n - 1); }
}

procedure ULTIMATE.start()
{
  var k: int;
  havoc k;
  assume k <= 1;
  call walk(k);
  call walk(0);
}
