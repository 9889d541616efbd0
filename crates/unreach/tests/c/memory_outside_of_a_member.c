// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The index is outside of the member, though inside of the struct.
struct Buffer {
    int cells[4];
    unsigned used;
};

static void put(struct Buffer *buffer, int value) {
    buffer->cells[buffer->used] = value;
    buffer->used++;
}

int main(void) {
    struct Buffer buffer = {{0, 0, 0, 0}, 3};
    put(&buffer, 1);
    put(&buffer, 2);
    return 0;
}
