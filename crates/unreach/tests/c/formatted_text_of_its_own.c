// property: assert
// verdict: unsafe
// What the library does is told where it is called.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    if (number < 0 || number > 99) return 0;
    char *text;
    if (asprintf(&text, "%d", number) < 0) return 0;
    assert(text[0] != '4');
    return 0;
}
