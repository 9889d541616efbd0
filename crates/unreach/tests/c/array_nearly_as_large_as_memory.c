// property: valid-memsafety
// data-model: ilp32
// verdict: safe
// The size of the array wraps around, and leaves enough for its first element.
int main(void) {
    unsigned length = 4294967295;
    int numbers[length];
    numbers[0] = 5;
    return numbers[0];
}
