procedure count(n: int) returns (i: int)
  requires 0 <= n;
  ensures i == n;
{
  i := 0;
  while (i < n) {
    i := i + 1;
  }
}
