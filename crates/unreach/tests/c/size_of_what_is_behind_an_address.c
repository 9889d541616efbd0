// property: assert
// verdict: safe
// What a compiler knows of objects whose addresses are written down; it evaluates nothing for that.
#include <assert.h>

struct Line {
    char text[12];
    int length;
};

int main(void) {
    struct Line line;
    int table[2][3], i = 0;
    assert(__builtin_object_size(&line, 0) == sizeof line);
    assert(__builtin_object_size(line.text, 0) == sizeof line);
    assert(__builtin_object_size(line.text, 1) == 12);
    assert(__builtin_object_size(&line.length, 0) == 4);
    assert(__builtin_object_size(table[1], 0) == 3 * sizeof(int));
    assert(__builtin_object_size("four", 3) == 5);
    __builtin_object_size(&table[i++], 0);
    assert(i == 0);
    return 0;
}
