// property: assert
// verdict: safe
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned table[256];

static unsigned step(unsigned sum) {
    for (int bit = 0; bit < 8; bit++) {
        sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
    return sum;
}

int main(void) {
    for (unsigned byte = 0; byte < 256; byte++) {
        table[byte] = step(byte);
    }
    unsigned by_table = 0xFFFFFFFFu, by_bits = 0xFFFFFFFFu;
    for (int count = 0; count < 2; count++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        by_table = table[(by_table ^ byte) & 0xFF] ^ by_table >> 8;
        by_bits = step(by_bits ^ byte);
    }
    assert(by_table == by_bits);
    return 0;
}
