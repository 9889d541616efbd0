// property: unreach-call
// verdict: unsafe
// harness: what memory holds that nobody has written is not the same in every run of the compiled test.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

int main(void) {
    unsigned int size = __VERIFIER_nondet_uint();
    int *cells = malloc(size * sizeof(int));
    for (unsigned int i = 1; i < size; i++) {
        int key = cells[i];
        int j = (int)i - 1;
        while (j >= 1 && cells[j] > key) {
            cells[j + 1] = cells[j];
            j--;
        }
        cells[j + 1] = key;
    }
    for (unsigned int i = 1; i < size; i++)
        if (cells[i - 1] > cells[i])
            reach_error();
    return 0;
}
