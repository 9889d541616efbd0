// contracts: check
// verdict: safe
int g;
/*@ requires g < 1000; assigns g; ensures g == \old(g) + 1 && \result == \old(g); */
int tick(void) { return g++; }
int main(void) { tick(); tick(); }
