//@ verdict: unsafe
//@ fails: 16
// What the contract lists may change.
var g, h: int;

procedure touch();
  modifies g;

procedure main()
  modifies g, h;
{
  g := 1;
  h := 2;
  call touch();
  assert h == 2;
  assert g == 1;
}
