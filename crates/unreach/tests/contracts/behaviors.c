// contracts: enforce
// verdict: unsafe
// says: \result == 0
/*@ behavior small:
  @   assumes x < 10;
  @   ensures \result == 1;
  @ behavior large:
  @   assumes x >= 10;
  @   ensures \result == 0;
  @*/
int f(int x) { return x <= 10; }
