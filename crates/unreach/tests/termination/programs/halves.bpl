//@ ends: always
procedure main() {
  var x: int;
  while (x > 0) { x := x div 2; }
}
