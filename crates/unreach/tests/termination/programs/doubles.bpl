//@ ends: not always
procedure main() {
  var x, y: int;
  while (x >= y) { x := 2 * x; y := y + 1; }
}
