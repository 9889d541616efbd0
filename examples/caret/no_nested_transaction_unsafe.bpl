procedure transaction(n: int) { call step(n); }
procedure step(n: int)
{
  if (n > 5) { call step(n - 1); }
  if (n == 5) { call transaction(0); }
}

procedure ULTIMATE.start()
{
  var n: int;
  havoc n;
  assume n < 8;
  call transaction(n);
}
