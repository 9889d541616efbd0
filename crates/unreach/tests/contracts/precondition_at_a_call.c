// contracts: check
// verdict: unsafe
/*@ requires x > 0; */
int half(int x) { return x / 2; }
int main(void) { return half(half(1)); }
