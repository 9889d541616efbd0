// What a contract says of old elements cannot be assumed in a caller: only who comes there has no answer.
// contracts: enforce
// verdict: unknown
// says: an old value of something that a quantifier binds
/*@ requires \valid(a + (0 .. 3));
  @ assigns a[0];
  @ ensures \forall integer i; 1 <= i < 4 ==> a[i] == \old(a[i]);
  @*/
void set(int *a) { a[0] = 5; }

/*@ assigns \nothing; ensures \result == 2; */
int main(void) {
  int a[4] = { 1, 2, 3, 4 };
  set(a);
  return a[1];
}
