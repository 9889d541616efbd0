//@ ends: always
procedure main() {
  var x: int;
  x := 1;
  while (x < 0) { x := x; }
}
