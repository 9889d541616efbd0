procedure transaction(n: int) { call step(n); }
procedure step(n: int) { if (n > 0) { call step(n - 1); } }

procedure ULTIMATE.start()
{
  var n: int;
  while (*)
  {
    havoc n;
    call transaction(n);
  }
}
