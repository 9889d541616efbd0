// property: valid-memsafety
// verdict: safe
extern void *alloca(unsigned long);

static int sum(int a, int b) {
    int *both = alloca(2 * sizeof(int));
    both[0] = a;
    both[1] = b;
    return both[0] / 2 + both[1] / 2;
}

int main(void) { return sum(1, 2) + sum(3, 4) == 3 ? 0 : 1; }
