//@ verdict: unsafe
//@ fails: 10
// What is assumed without a check about an argument does not cut the caller's execution.
procedure callee(x: int)
  free requires x > 0;
{ }
procedure main()
{
  call callee(0);
  assert false;
}
