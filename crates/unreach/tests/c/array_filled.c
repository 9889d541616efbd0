// property: unreach-call
// verdict: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

static void set(int *where, int count, int value) {
    for (int i = 0; i < count; i++)
        where[i] = value;
}

int main(void) {
    int local[5000];
    int *heap = malloc(5000 * sizeof(int));
    set(heap, 5000, 3);
    for (int i = 0; i < 5000; i++)
        local[i] = heap[i] + 1;
    for (int i = 4999; i >= 0; i--)
        if (local[i] != 4)
            reach_error();
    return 0;
}
