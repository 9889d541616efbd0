// property: unreach-call
// verdict: unsafe
// As endless_packets, with a limit of packets that is one too large.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned packets = 0, position = 0, sum = 0;
    for (;;) {
        sum = ((sum << 1) | (sum >> 15)) & 0xffffu;
        sum ^= __VERIFIER_nondet_uchar();
        if (packets <= 10u) {
            packets++;
            position += 3u;
        } else {
            packets = 0;
            position = 0;
        }
        if (sum > 0xffffu || position > 30u)
            reach_error();
    }
}
