//@ verdict: unsafe
//@ fails: 11
procedure pick(low: int, high: int) returns (r: int);
  requires low <= high;
  ensures low <= r && r <= high;

procedure main()
{
  var r: int;
  call r := pick(3, 5);
  assert r != 4;
}
