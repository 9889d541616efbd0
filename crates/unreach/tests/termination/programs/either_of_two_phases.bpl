//@ ends: always
//@ todo: modules for single words of the two ways do not generalise to all mixtures of them
// Whichever way is gone infinitely often, what it adds becomes negative at last.
procedure main() {
  var x, y, z: int;
  while (x > 0) {
    if (*) { x := x + y; y := y - 1; } else { x := x + z; z := z - 1; }
  }
}
