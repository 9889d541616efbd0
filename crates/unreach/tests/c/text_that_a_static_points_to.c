// property: assert
// verdict: safe
// All characters of a literal are there, also if only its first is looked at.
#include <assert.h>

const char *names[] = {"xyz", 0};

int main(void) {
    const char *first = *names;
    assert(*first == 'x');
    return 0;
}
