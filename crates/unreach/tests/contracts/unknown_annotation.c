// contracts: check
// verdict: unknown
// says: lemma
/*@ lemma positive: 1 > 0; */
int main(void) { return 0; }
