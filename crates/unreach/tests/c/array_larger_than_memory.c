// property: valid-memsafety
// data-model: ilp32
// verdict: unsafe
// fails: valid-deref
// harness: the test is compiled for 64 bits, where such an array is too large for the stack
// The size of an array of variable length is computed in 32 bits: 1073741824 numbers have no byte at all.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length == 0)
        return 0;
    int numbers[length];
    numbers[0] = 5;
    return numbers[0];
}
