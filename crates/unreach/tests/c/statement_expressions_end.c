// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// What a statement expression declares ends with it.
int main(void) {
    int *p = ({ int x = 1; &x; });
    return *p;
}
