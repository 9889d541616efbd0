//@ ends: always
procedure main() {
  var x: real;
  while (x >= 0.0) { x := x - 0.5; }
}
