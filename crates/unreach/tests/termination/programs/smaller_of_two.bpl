//@ ends: always
procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (x < y) { x := x - 1; havoc y; assume y > x; } else { y := y - 1; havoc x; assume x >= y; }
  }
}
