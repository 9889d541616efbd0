//@ verdict: unsafe
//@ fails: 7
// Two maps may differ at a type of which the program knows nothing.
procedure main(m: <a>[a]int, n: <a>[a]int)
{
  assume m != n;
  assert m[true] != n[true] || m[false] != n[false];
}
