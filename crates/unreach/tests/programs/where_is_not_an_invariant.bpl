//@ verdict: unsafe
//@ fails: 8
// An assignment need not respect a where clause.
procedure main()
{
  var y: int where y > 0;
  y := y - 1;
  assert y > 0;
}
