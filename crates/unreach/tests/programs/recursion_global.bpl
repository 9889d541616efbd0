//@ verdict: safe
// A recursive procedure changes a global as often as it is entered.
var g: int;

procedure count(n: int)
  modifies g;
{
  if (n > 0) {
    g := g + 1;
    call count(n - 1);
  }
}

procedure main()
  modifies g;
{
  g := 0;
  call count(3);
  assert g <= 3;
}
