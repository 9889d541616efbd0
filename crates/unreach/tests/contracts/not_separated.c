// contracts: enforce
// verdict: unsafe
/*@ requires \valid(p) && \valid(q);
  @ assigns *p, *q;
  @ ensures *p == 1 && *q == 2;
  @*/
void both(int *p, int *q) { *p = 1; *q = 2; }
