//@ verdict: safe
procedure main(n: int)
{
  var i, j, k: int;
  i := 0;
  k := 0;
  while (i < n) {
    j := 0;
    while (j < 3) {
      j := j + 1;
      k := k + 1;
    }
    i := i + 1;
  }
  assert k >= i;
}
