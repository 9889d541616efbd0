//@ verdict: unsafe
//@ fails: 13
// The last cell that is read was not written.
procedure main(n: int) requires n >= 0;
{
  var a: [int]int;
  var i, x, sum: int;
  i := 0;
  while (i < n) { havoc x; assume -3 <= x && x <= 5; a[i] := x; i := i + 1; }
  sum := 0;
  i := 0;
  while (i <= n) { sum := sum + a[i]; i := i + 1; }
  assert -3 * n <= sum && sum <= 5 * n;
}
