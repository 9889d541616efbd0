// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the memory of the call is still there
int *f(int n) {
    int x = n;
    int *p = &x;
    return p;
}
int main(void) {
    int *p = f(3);
    return *p;
}
