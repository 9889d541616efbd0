// The two branches must not be joined: together they allow every value between -1 and 1.
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
