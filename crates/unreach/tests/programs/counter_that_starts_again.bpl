//@ verdict: safe
// The counter is the number of rounds modulo seven.
procedure main()
{
  var i, k: int;
  i := 0;
  k := 0;
  while (i < 1000000000) {
    i := i + 1;
    k := k + 1;
    if (k == 7) { k := 0; }
  }
  assert k == 6;
}
