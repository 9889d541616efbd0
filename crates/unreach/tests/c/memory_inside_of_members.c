// property: valid-memsafety
// verdict: safe
// The last member of a struct behind a pointer may be longer than its type says; the address of the element behind the last one is
// no access; a pointer to a row may be moved over the whole table.
#include <stdlib.h>

struct Message {
    unsigned length;
    char text[1];
};

int table[2][3];

int main(void) {
    struct Message *message = malloc(sizeof(struct Message) + 8);
    if (!message) return 0;
    message->length = 6;
    for (unsigned i = 0; i < message->length; i++) {
        message->text[i] = 'x';
    }
    int *end = &table[0][3];
    for (int *cell = &table[0][0]; cell < end; cell++) {
        *cell = 1;
    }
    free(message);
    return table[1][2];
}
