//@ ends: always
procedure main() {
  var x: int;
  while (0 <= x && x <= 1) { x := 3 * x - 1; }
}
