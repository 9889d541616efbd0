// What the range leaves out keeps its value in a caller.
// contracts: use
// verdict: safe
/*@ assigns a[0 .. 1]; ensures a[0] == 7; */
void change(int *a) { a[0] = 7; a[1] = 8; }

int main(void) {
  int a[4] = { 1, 2, 3, 4 };
  change(a);
  //@ assert a[0] == 7 && a[2] == 3 && a[3] == 4;
}
