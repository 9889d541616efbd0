//@ verdict: safe
// Three loops one after the other; the last one adds to what the second one copied.
procedure main(n: int)
{
  var a, b: [int]int;
  var i: int;
  i := 0;
  while (i < n) { a[i] := 5; i := i + 1; }
  i := 0;
  while (i < n) { b[i] := a[i]; i := i + 1; }
  i := 0;
  while (i < n) { b[i] := b[i] + 2 * i; i := i + 1; }
  i := 0;
  while (i < n) { assert b[i] == 5 + 2 * i; i := i + 1; }
}
