//@ verdict: safe
procedure main(n: int)
{
  var i: int;
  i := 0;
  outer: while (true) {
    while (true) {
      if (i >= 5) {
        break outer;
      }
      i := i + 1;
      if (*) {
        break;
      }
    }
  }
  assert i == 5;
}
