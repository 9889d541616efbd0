//@ verdict: safe
// A caller need not care about a free precondition, and then the callee has promised nothing.
procedure half(n: int) returns (r: int);
  free requires n >= 0;
  ensures r >= 0;

implementation half(n: int) returns (r: int)
{
  r := n div 2;
}

procedure main(n: int)
{
  var r: int;
  call r := half(n);
  assert n < 0 || r >= 0;
}
