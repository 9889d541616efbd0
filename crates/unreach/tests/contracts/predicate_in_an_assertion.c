// Definitions count in assertions, too.
// contracts: ignore
// verdict: unsafe
/*@ predicate sorted(int *a, integer n) = \forall integer i; 0 <= i < n - 1 ==> a[i] <= a[i + 1]; */
int main(void) {
  int a[4] = { 1, 2, 4, 3 };
  //@ assert sorted(a, 3);
  //@ assert sorted(a, 4);
}
