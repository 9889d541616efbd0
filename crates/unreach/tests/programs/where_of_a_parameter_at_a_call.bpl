//@ verdict: unsafe
//@ fails: 5
procedure callee(x: int where x > 0)
{
  assert x > 0;
}
procedure main()
{
  call callee(0);
}
