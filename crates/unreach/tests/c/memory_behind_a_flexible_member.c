// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
struct list {
    int count;
    int numbers[];
};

int main(void) {
    struct list list = {1};
    list.numbers[10] = 7;
    return 0;
}
