//@ ends: not always
procedure main() {
  var x, y: int;
  while (x > 0) { havoc y; x := x - y; }
}
