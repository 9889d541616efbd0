// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the variable of the next round has the same place, so no sanitizer notices
// A case begins the block anew, so the variable of the last round is gone.
int main(void) {
    int n = 0, *p = &n;
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 1;
            p = &x;
            break;
        case 1:
            x = 2;
            n = *p + x;
        }
    }
    return n;
}
