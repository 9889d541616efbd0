//@ verdict: safe
// Paper "Software Model Checking for People who Love Automata", Figure 5.
procedure main()
{
  var x: int;
  if (x < 0) {
    x := -1;
  } else {
    x := 1;
  }
  assert x != 0;
}
