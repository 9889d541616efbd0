//@ ends: always
// The larger of the two sinks, but no comparison of the program tells which one it is.
procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { x := x - 1; y := x; } else { x := y - 1; y := y - 1; }
  }
}
