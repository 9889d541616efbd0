//@ verdict: unsafe
// It fails for steps of 7 and more only.
procedure main()
{
  var i, k: int;
  assume 0 <= k && k <= 10;
  i := 0;
  while (i < 1000000 * k) { i := i + k; }
  assert i < 7000000;
}
