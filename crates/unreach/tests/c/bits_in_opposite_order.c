// property: assert
// verdict: safe
// harness: gcc does not have these functions
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    assert(__builtin_bitreverse8(0x01) == 0x80 && __builtin_bitreverse16(0x0003) == 0xc000);
    assert(__builtin_bitreverse32(0x80000001u) == 0x80000001u && __builtin_bitreverse64(2) == 1ull << 62);
    assert(__builtin_bitreverse8(__builtin_bitreverse8(byte)) == byte);
    assert((__builtin_bitreverse8(byte) & 1) == byte >> 7);
    return 0;
}
