//@ ends: not always
int main(void) {
  for (unsigned char c = 0; c <= 255; c++) {}
  return 0;
}
