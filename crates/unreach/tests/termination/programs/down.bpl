//@ ends: always
procedure main(n: int) {
  var x: int;
  x := n;
  while (x > 0) { x := x - 1; }
}
