//@ verdict: safe
// Paper "Software Model Checking for People who Love Automata", Figure 3.
procedure main()
{
  var x, y: int;
  x := 0;
  y := 0;
  while (*) {
    x := x + 1;
  }
  assert x != -1;
  assert y != -1;
}
