//@ verdict: safe
// 3000000 is a multiple of both steps.
procedure main()
{
  var i, k, d: int;
  havoc k;
  assume k == 3 || k == 5;
  d := 0 - k;
  i := 3000000;
  while (i > 0) { i := i + d; }
  assert i == 0;
}
