//@ ends: always
// No lexicographic rank: three modules, for one way, for the other, and for both in turn.
procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { y := x; x := x - 1; } else { x, y := y - 3, x + 2; }
  }
}
