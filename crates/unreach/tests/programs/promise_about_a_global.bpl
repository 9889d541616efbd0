//@ verdict: safe
// A check holds where the free precondition held at the entry, whatever becomes of the global.
var g: int;
procedure called()
  free requires g > 0;
  modifies g;
{
  g := g - 1;
  assert g >= 0;
}
procedure main()
  modifies g;
{
  g := 0;
  call called();
  assert g == -1;
}
