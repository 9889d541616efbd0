//@ ends: always
procedure main() {
  var x: int;
  while (true) {
    assert x > 0;
    x := x - 1;
  }
}
