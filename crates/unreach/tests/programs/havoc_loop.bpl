//@ verdict: safe
procedure main()
{
  var x, steps: int;
  x := 0;
  steps := 0;
  while (steps < 10) {
    havoc x;
    assume x >= 0;
    steps := steps + 1;
  }
  assert x >= 0 && steps == 10;
}
