// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// In the test, memory without an initialiser is zero.
struct holder { int *at; };

int main(void) {
    struct holder h;
    if (h.at) return 0;
    *h.at = 1;
    return 0;
}
