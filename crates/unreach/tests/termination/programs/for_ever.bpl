//@ ends: not always
procedure main() {
  while (true) {}
}
