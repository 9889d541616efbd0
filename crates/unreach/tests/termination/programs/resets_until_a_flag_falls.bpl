//@ ends: always
procedure main() {
  var i, j, n, m, k: int;
  var allowed: [int]bool;
  while (i < n) {
    if (allowed[k]) {
      allowed[k] := false;
      i := 0;
      havoc j;
    } else {
      j := 0;
      while (j < m) { j := j + 1; }
      i := i + 1;
    }
  }
}
