//@ verdict: unsafe
// The same, but nothing need be in one list only.
procedure main()
{
  var i, j, k, n, m: int;
  assume n >= 0 && m >= 0;
  i := 0; j := 0; k := 0;
  while (i < n && j < m)
  {
    if (*) { i := i + 1; } else if (*) { j := j + 1; } else { i := i + 1; j := j + 1; }
    k := k + 1;
  }
  while (i < n) { i := i + 1; k := k + 1; }
  while (j < m) { j := j + 1; k := k + 1; }
  assert k <= n + m;
  assert n + m < 2 * k;
}
