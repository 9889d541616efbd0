// property: valid-memsafety
// verdict: safe
// A literal lives as long as the block around it.
int main(void) {
    int *p = &(int){3}, sum = 0;
    for (int i = 0; i < 2; i++) {
        int *now = (int[]){i, 2};
        if (i == 1) p = now + 1;
        sum += *p + *now;
        p = &sum;
    }
    return *p;
}
