//@ verdict: safe
// A message of fields, each with two bytes in front of it that say its kind and its length; some bytes are counted.
procedure main()
{
  var i, n, len, k, fields, total: int;
  assume 0 <= n && n <= 256;
  i := 0; fields := 0; total := 0;
  while (i + 2 <= n)
  {
    havoc len;
    assume 0 <= len && len <= 255;
    if (len > n - i - 2) { break; }
    if (*)
    {
      k := 0;
      while (k < len)
      {
        assert i + 2 + k < n;
        if (*) { total := total + 1; }
        k := k + 1;
      }
    }
    i := i + 2 + len;
    fields := fields + 1;
  }
  assert i <= n;
  assert total + 2 * fields <= i;
}
