// property: assert
// verdict: safe
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned __int128 all = -1, none = 0;
    unsigned long a = __VERIFIER_nondet_ulong();
    assert(all + 1 == 0 && none - 1 == all && all >> 127 == 1);
    assert((long)(all >> 64) == -1 && (unsigned long)(all >> 64) == -1UL);
    assert((__int128)all == -1);
    unsigned __int128 square = (unsigned __int128)a * 3;
    assert((unsigned long)(square >> 64) <= 2);
    return 0;
}
