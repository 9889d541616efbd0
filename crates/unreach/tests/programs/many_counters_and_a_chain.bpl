//@ verdict: safe
// Many counters beside a chain of four variables: of what is known before an edge, little matters for it, and for the last assertion all of the chain does.
procedure main() {
  var x0: int;
  var x1: int;
  var x2: int;
  var x3: int;
  var x4: int;
  var x5: int;
  var x6: int;
  var x7: int;
  var x8: int;
  var x9: int;
  var x10: int;
  var x11: int;
  var x12: int;
  var x13: int;
  var x14: int;
  var x15: int;
  var x16: int;
  var x17: int;
  var x18: int;
  var x19: int;
  var x20: int;
  var x21: int;
  var x22: int;
  var x23: int;
  var x24: int;
  var x25: int;
  var x26: int;
  var x27: int;
  var x28: int;
  var x29: int;
  var a, b, c, d: int;
  x0 := 0;
  x1 := 1;
  x2 := 2;
  x3 := 3;
  x4 := 4;
  x5 := 5;
  x6 := 6;
  x7 := 7;
  x8 := 8;
  x9 := 9;
  x10 := 10;
  x11 := 11;
  x12 := 12;
  x13 := 13;
  x14 := 14;
  x15 := 15;
  x16 := 16;
  x17 := 17;
  x18 := 18;
  x19 := 19;
  x20 := 20;
  x21 := 21;
  x22 := 22;
  x23 := 23;
  x24 := 24;
  x25 := 25;
  x26 := 26;
  x27 := 27;
  x28 := 28;
  x29 := 29;
  assume a <= b && b <= c && c <= d;
  while (*) {
    if (*) { x0 := x0 + 1; }
    if (*) { x1 := x1 + 1; }
    if (*) { x2 := x2 + 1; }
    if (*) { x3 := x3 + 1; }
    if (*) { x4 := x4 + 1; }
    if (*) { x5 := x5 + 1; }
    if (*) { x6 := x6 + 1; }
    if (*) { x7 := x7 + 1; }
    if (*) { x8 := x8 + 1; }
    if (*) { x9 := x9 + 1; }
    if (*) { x10 := x10 + 1; }
    if (*) { x11 := x11 + 1; }
    if (*) { x12 := x12 + 1; }
    if (*) { x13 := x13 + 1; }
    if (*) { x14 := x14 + 1; }
    if (*) { x15 := x15 + 1; }
    if (*) { x16 := x16 + 1; }
    if (*) { x17 := x17 + 1; }
    if (*) { x18 := x18 + 1; }
    if (*) { x19 := x19 + 1; }
    if (*) { x20 := x20 + 1; }
    if (*) { x21 := x21 + 1; }
    if (*) { x22 := x22 + 1; }
    if (*) { x23 := x23 + 1; }
    if (*) { x24 := x24 + 1; }
    if (*) { x25 := x25 + 1; }
    if (*) { x26 := x26 + 1; }
    if (*) { x27 := x27 + 1; }
    if (*) { x28 := x28 + 1; }
    if (*) { x29 := x29 + 1; }
    if (a < b) { a := a + 1; }
    if (b < c) { b := b + 1; }
    if (c < d) { c := c + 1; }
    d := d + 1;
  }
  assert x0 >= 0;
  assert x1 >= 1;
  assert x2 >= 2;
  assert x3 >= 3;
  assert x4 >= 4;
  assert x5 >= 5;
  assert x6 >= 6;
  assert x7 >= 7;
  assert x8 >= 8;
  assert x9 >= 9;
  assert x10 >= 10;
  assert x11 >= 11;
  assert x12 >= 12;
  assert x13 >= 13;
  assert x14 >= 14;
  assert x15 >= 15;
  assert x16 >= 16;
  assert x17 >= 17;
  assert x18 >= 18;
  assert x19 >= 19;
  assert x20 >= 20;
  assert x21 >= 21;
  assert x22 >= 22;
  assert x23 >= 23;
  assert x24 >= 24;
  assert x25 >= 25;
  assert x26 >= 26;
  assert x27 >= 27;
  assert x28 >= 28;
  assert x29 >= 29;
  assert b <= c && a <= d;
}
