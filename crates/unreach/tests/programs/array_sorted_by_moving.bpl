//@ verdict: safe
// Cells that are moved hold nothing new.
procedure main(n: int)
{
  var a: [int]int;
  var i, j, key: int;
  i := 0;
  while (i < n) { havoc key; assume 1 <= key && key <= 9; a[i] := key; i := i + 1; }
  i := 1;
  while (i < n) {
    key := a[i];
    j := i - 1;
    while (j >= 0 && a[j] > key) { a[j + 1] := a[j]; j := j - 1; }
    a[j + 1] := key;
    i := i + 1;
  }
  i := 0;
  while (i < n) { assert 1 <= a[i] && a[i] <= 9; i := i + 1; }
}
