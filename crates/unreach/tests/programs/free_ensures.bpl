//@ verdict: safe
procedure unknown() returns (r: int);
  free ensures r > 0;

procedure main()
{
  var r: int;
  call r := unknown();
  assert r >= 1;
}
