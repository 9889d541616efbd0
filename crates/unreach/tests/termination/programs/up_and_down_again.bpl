//@ ends: not always
// A module must not take what it knows about the rank before the last visit for what it knows about the last one.
procedure main() {
  var x, y: int;
  while (0 <= x && x <= 3) {
    if (*) { x := x - 1; } else { assume x < y; x := 3; }
  }
}
