// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: no sanitizer looks at what alloca gave when its function has returned
// What `alloca` gives ceases to live when its function returns.
extern void *alloca(unsigned long);

static int *numbers(int count) {
    int *first = 0;
    for (int i = 0; i < count; i++) {
        int *next = alloca(sizeof(int));
        *next = i;
        if (i == 0)
            first = next;
    }
    return first;
}

int main(void) {
    int *first = numbers(2);
    return *first;
}
