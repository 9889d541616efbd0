//@ ends: not always
procedure main(n: int) {
  call main(n - 1);
}
