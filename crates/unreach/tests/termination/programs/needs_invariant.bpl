//@ ends: always
procedure main() {
  var x, y: int;
  y := 2;
  while (x > 0) {
    x := x - y;
    y := y + 1;
  }
}
