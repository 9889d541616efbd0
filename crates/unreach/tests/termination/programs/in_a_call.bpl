//@ ends: always
procedure step(x: int) returns (y: int) {
  y := x - 3;
}

procedure main(n: int) {
  var x: int;
  x := n;
  while (x > 0) { call x := step(x); }
}
