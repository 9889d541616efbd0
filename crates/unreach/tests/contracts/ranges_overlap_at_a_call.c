// contracts: use
// verdict: unsafe
/*@ requires \separated(p + (0 .. 1), q + (0 .. 1)); assigns p[0 .. 1]; */
void copy(int *p, int *q) { p[0] = q[0]; p[1] = q[1]; }

int main(void) {
  int a[4] = { 0 };
  copy(a, a + 2);
  copy(a, a + 1);
}
