//@ verdict: safe
// Nobody has the name 2, and the thread 1 is joined only once.
procedure ULTIMATE.start()
{
  fork 1 nothing();
  join 1;
  if (*) {
    join 2;
  } else {
    join 1;
  }
  assert false;
}

procedure nothing()
{
}
