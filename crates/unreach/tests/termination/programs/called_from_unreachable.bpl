//@ ends: always
// A procedure that nobody calls calls one that is called.
procedure ULTIMATE.start()
{
  call p(1);
}
procedure q()
{
  call p(2);
}
procedure p(fuel: int)
{
  if (fuel > 0) {
    call p(0);
  }
}
