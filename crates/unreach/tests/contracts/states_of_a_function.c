// contracts: enforce
// verdict: safe
int g;
/*@ requires \at(g, Pre) < 100;
  @ assigns g;
  @ ensures \at(g, Post) == \at(g, Old) + x && \at(g, Pre) == \old(g) && \at(\result, Here) == g;
  @*/
int add(signed char x) {
  g += x;
  //@ assert g == \at(g, Pre) + x;
  return g;
}
