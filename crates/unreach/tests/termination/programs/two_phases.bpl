//@ ends: always
procedure main() {
  var x, y: int;
  while (x >= 0) {
    x := x + y;
    y := y - 1;
  }
}
