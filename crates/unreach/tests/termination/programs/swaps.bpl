//@ ends: not always
procedure main() {
  var x, y: int;
  x, y := 1, 2;
  while (x != y) { x, y := y, x; }
}
