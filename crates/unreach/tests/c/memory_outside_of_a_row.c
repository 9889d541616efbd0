// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// A row ends before the next one begins, though both are parts of one object.
int table[2][3];

int main(void) {
    int (*row)[3] = &table[0];
    int *pointer = &table[1][2];
    for (int i = 0; i <= 3; i++) {
        (*row)[i] = i;
    }
    return *pointer;
}
