//@ verdict: safe
var g: int;
procedure {:verify false} set()
  modifies g;
  ensures g == 1;
{
  g := 2;
  assert false;
}
procedure main()
  modifies g;
{
  call set();
  assert g == 1;
}
