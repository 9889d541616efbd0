//@ verdict: safe
// A round of the loop has so many paths that no query can look at all of them at once.
procedure main() {
  var x, y: int;
  x := 0;
  y := 0;
  while (*) {
    if (*) { x := x + 0; y := y + 0; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 1; y := y + 1; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 2; y := y + 2; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 3; y := y + 3; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 4; y := y + 4; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 5; y := y + 5; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 6; y := y + 6; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 7; y := y + 7; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 8; y := y + 8; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 9; y := y + 9; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 10; y := y + 10; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 11; y := y + 11; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 12; y := y + 12; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 13; y := y + 13; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 14; y := y + 14; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 15; y := y + 15; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 16; y := y + 16; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 17; y := y + 17; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 18; y := y + 18; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 19; y := y + 19; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 20; y := y + 20; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 21; y := y + 21; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 22; y := y + 22; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 23; y := y + 23; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 24; y := y + 24; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 25; y := y + 25; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 26; y := y + 26; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 27; y := y + 27; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 28; y := y + 28; } else { x := x - 1; y := y - 1; }
    if (*) { x := x + 29; y := y + 29; } else { x := x - 1; y := y - 1; }
  }
  assert x == y;
}
