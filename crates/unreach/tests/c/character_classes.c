// property: assert
// verdict: safe
// The table of character classes as the headers of glibc use it, with characters that may be negative.
#include <assert.h>
extern const unsigned short **__ctype_b_loc(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char c = __VERIFIER_nondet_char();
    int is_digit = ((*__ctype_b_loc())[(int)c] & 2048) != 0;
    int is_space = ((*__ctype_b_loc())[(int)c] & 8192) != 0;
    assert(is_digit == (c >= '0' && c <= '9'));
    assert(is_space == (c == ' ' || (c >= '\t' && c <= '\r')));
    return 0;
}
