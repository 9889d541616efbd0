//@ ends: always
procedure main(n: int) {
  var r: int;
  call r := fac(n);
}

procedure fac(n: int) returns (r: int) {
  if (n <= 1) { r := 1; return; }
  call r := fac(n - 1);
  r := r + n;
}
