//@ ends: always
procedure main() {
  var b: bool;
  while (b) { b := false; }
}
