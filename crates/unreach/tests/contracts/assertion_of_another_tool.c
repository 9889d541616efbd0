// An assertion that cannot be read cannot be shown.
// contracts: check
// verdict: unknown
// says: an assertion in an annotation that is not understood
int main(void) {
  int x = 0;
  //@ assert x |-> ?v &*& v == 0 &*& 'a;
  return x;
}
