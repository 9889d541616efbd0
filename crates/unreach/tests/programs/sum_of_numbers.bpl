//@ verdict: safe
// The invariant has degree two: twice the sum is i * (i + 1).
procedure main(n: int)
{
  var i, sum: int;
  i := 0;
  sum := 0;
  while (i < n) {
    i := i + 1;
    sum := sum + i;
  }
  assert n >= 0 ==> 2 * sum == n * (n + 1);
}
