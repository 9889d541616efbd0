// What an assertion says inside of a quantifier is no bound for the index of a walk.
procedure main(n: int, m: int, a: [int]int, b: [int]int)
  requires (exists k: int :: 0 <= k && k < n && a[k] == 0);
  requires (exists k: int :: 0 <= k && k < m && b[k] == 0);
{
  var i: int;
  i := 0;
  while (a[i] != 0) {
    assert i < n;
    i := i + 1;
  }
  assert (exists j: int, l: int :: 0 <= j && j <= l && l <= i && j <= i && a[l] == 0);
  i := 0;
  while (b[i] != 0) {
    assert i < m;
    i := i + 1;
  }
}
