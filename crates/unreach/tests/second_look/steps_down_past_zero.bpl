//@ verdict: unsafe
// 3000001 is a multiple of neither.
procedure main()
{
  var i, k, d: int;
  havoc k;
  assume k == 3 || k == 5;
  d := 0 - k;
  i := 3000001;
  while (i > 0) { i := i + d; }
  assert i == 0;
}
