// property: assert
// verdict: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static char digit(unsigned value) { return value < 10 ? '0' + value : 'a' + (value - 10); }

static unsigned value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

int main(void) {
    unsigned number = __VERIFIER_nondet_uint(), again = 0;
    char text[8];
    for (int place = 0; place < 8; place++) {
        text[place] = digit(number >> (28 - 4 * place) & 15);
    }
    for (int place = 0; place < 8; place++) {
        again = again << 4 | value(text[place]);
    }
    assert(again == number);
    return 0;
}
