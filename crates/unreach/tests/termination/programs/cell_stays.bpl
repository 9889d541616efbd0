//@ ends: not always
procedure main() {
  var a: [int]int;
  var i: int;
  a[0] := 1;
  while (a[0] > 0) { i := i + 1; if (i != 0) { a[i] := 0; } }
}
