// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
static int seven(void) { return 7; }

int main(void) {
    int (*first)(void) = seven;
    int (*second)(void) = 0;
    return first() + second();
}
