//@ verdict: safe
// Names are tuples; a join takes the results of a thread whose results have the wanted types.
procedure ULTIMATE.start()
{
  var n, a, b: int;
  n := 7;
  fork n, n double(3);
  fork 7 double(5);
  fork 7 nothing();
  join 7 assign a;
  join 7, n assign b;
  assert a == 10 && b == 6;
}

procedure double(p: int) returns (r: int)
{
  call r := add(p, p);
}

procedure add(p: int, q: int) returns (r: int)
{
  r := p + q;
}

procedure nothing()
{
}
