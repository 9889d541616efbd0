//@ ends: always
procedure down(i: int, j: int) {
  if (i > 0 && j > 0) {
    if (*) { call down(i - 1, i); } else { call down(j - 2, i + 1); }
  }
}
procedure main(i: int, j: int) { call down(i, j); }
