// contracts: check
// verdict: unknown
// says: predicate
/*@ predicate positive(int x) = x > 0; */
int main(void) { return 0; }
