//@ verdict: safe
// Where the step is 3, i is a multiple of 3, and so for each of eleven steps.
procedure main()
{
  var i, k: int;
  assume 0 <= k && k <= 10;
  i := 0;
  while (i < 1000000 * k) { i := i + k; }
  assert i == 1000000 * k;
}
