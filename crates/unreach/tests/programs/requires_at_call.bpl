//@ verdict: unsafe
//@ fails: 11
procedure positive(x: int)
  requires x > 0;
{
  assert x > 0;
}

procedure main(x: int)
{
  call positive(x);
}
