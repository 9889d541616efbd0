// property: assert
// verdict: safe
#include <assert.h>
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    assert(printf("abc%%\n") == 5);
    assert(printf("%d", -100) == 4);
    assert(printf("%5d|%-3u", 3, 1234u) == 10);
    assert(printf("%+.3d%c%s", 7, 'x', "text") == 9);
    assert(printf("%.0d", 0) == 0);
    assert(printf("%hhu", 300) == 2);
    int digits = printf("%x", __VERIFIER_nondet_uint());
    assert(digits >= 1 && digits <= 8);
    return 0;
}
