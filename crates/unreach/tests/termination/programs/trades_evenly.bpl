//@ ends: not always
procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 1; } else { x, y := y - 3, x + 3; }
  }
}
