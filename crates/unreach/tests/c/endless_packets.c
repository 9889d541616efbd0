// property: unreach-call
// verdict: safe
// Three samples for each packet: that the position stays below its limit follows from an equation between two counters, and
// that the checksum does from its bits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned packets = 0, position = 0, sum = 0;
    for (;;) {
        sum = ((sum << 1) | (sum >> 15)) & 0xffffu;
        sum ^= __VERIFIER_nondet_uchar();
        if (packets < 1000u) {
            packets++;
            position += 3u;
        } else {
            packets = 0;
            position = 0;
        }
        if (sum > 0xffffu || position > 3000u)
            reach_error();
    }
}
