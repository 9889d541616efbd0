// contracts: enforce
// verdict: unknown
// says: the state `there` of `\at`
/*@ assigns \nothing; */
int f(int n) {
there:
  n++;
  //@ assert \at(n, there) < n;
  return n;
}
