//@ ends: always
procedure main() {
  var a: [int]int;
  var i: int;
  while (a[i] > 0) { a[i] := a[i] - 1; }
}
