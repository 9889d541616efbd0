// property: assert
// verdict: safe
// One call of `setjmp` sets several buffers of one activation.
#include <assert.h>
#include <setjmp.h>
static jmp_buf bufs[3]; static int hits[3];
static volatile int i;
static void go(int k) { longjmp(bufs[k], 10 + k); }
int main(void) {
    for (i = 0; i < 3; i++) {
        int r = setjmp(bufs[i]);
        if (r == 0) { if (i == 2) go(1); continue; }
        hits[r - 10]++;
        assert(r == 11);
        break;
    }
    assert(i == 2 && hits[1] == 1);
    return 0;
}
