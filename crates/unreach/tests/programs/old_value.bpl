//@ verdict: safe
var g: int;

procedure increment()
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
}

procedure main()
  modifies g;
{
  var before: int;
  before := g;
  call increment();
  call increment();
  assert g == before + 2;
  assert old(g) == before;
}
