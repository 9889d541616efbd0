// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the compiled program ends with a signal
static int seven(void) { return 7; }

int main(void) {
    int (*first)(void) = seven;
    int (*second)(void) = 0;
    return first() + second();
}
