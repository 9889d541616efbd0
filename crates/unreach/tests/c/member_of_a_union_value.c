// property: assert
// verdict: safe
// The members of a union value that is no object share its bytes, too.
#include <assert.h>
union word { unsigned raw : 24; struct { unsigned char low, high; }; };
extern unsigned __VERIFIER_nondet_uint(void);
static union word made(unsigned x) { union word w = { .raw = x }; return w; }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(((union word)x).raw == (x & 0xffffff));
    assert(made(x).raw == (x & 0xffffff));
    assert(made(x).low == (x & 0xff));
    return 0;
}
