// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (p)
            break;
        p = &x;
    }
    return *p;
}
