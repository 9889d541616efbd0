//@ ends: not always
procedure main() {
  var x: int;
  while (x != 0) { x := x - 2; }
}
