//@ verdict: safe
// The second call is never made, but the procedure returns: only the first call is one to come back from.
procedure ULTIMATE.start()
{
  call callee();
  assume false;
  call callee();
  assert false;
}

procedure callee()
{
}
