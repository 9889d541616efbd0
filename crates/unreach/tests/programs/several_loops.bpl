//@ verdict: safe
// Row 3 of Table 1: two loops one after the other, with branches. Safe: what the first loop shares out between two
// piles, the second one takes away again.
procedure main(n: int)
  requires n >= 0;
{
  var i, left, right: int;
  i := 0;
  left := 0;
  right := 0;
  while (i < n)
  {
    if (*) {
      left := left + 1;
    } else {
      right := right + 1;
    }
    i := i + 1;
  }
  while (i > 0)
  {
    if (left > 0) {
      left := left - 1;
    } else {
      right := right - 1;
    }
    i := i - 1;
  }
  assert left + right == 0;
}
