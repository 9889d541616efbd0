//@ ends: not always
procedure main() {
  var x: real;
  x := 1.0;
  while (x > 0.0) { x := x / 2.0; }
}
