//@ verdict: safe
// Every second round counts, so the number of rounds is twice the count; which one it is, only the flag says.
procedure main(n: int)
{
  var x, t: int;
  var b: bool;
  assume n >= 1000000;
  x := 0;
  t := 0;
  b := false;
  while (x < n) {
    if (b) {
      x := x + 1;
    }
    b := !b;
    t := t + 1;
  }
  assert t == 2 * n;
}
