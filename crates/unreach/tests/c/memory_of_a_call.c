// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
int *f(int n) {
    int x = n;
    int *p = &x;
    return p;
}
int main(void) {
    int *p = f(3);
    return *p;
}
