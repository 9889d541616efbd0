// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// Constants must not be written.
static const int months = 12;

int main(void) {
    int *pointer = (int *)&months;
    *pointer = 13;
    return 0;
}
