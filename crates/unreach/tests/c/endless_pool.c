// property: unreach-call
// verdict: safe
// A pool of 64 blocks: what is used and what is left have one sum. Beside it, a word of flags.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned used = 0, left = 64, flags = 0;
    for (;;) {
        flags ^= __VERIFIER_nondet_uint() & 0xf0u;
        if (__VERIFIER_nondet_int()) {
            if (left > 0) {
                left--;
                used++;
            }
        } else if (used > 0) {
            used--;
            left++;
        }
        if (used > 64u || (flags & 0x0fu) != 0)
            reach_error();
    }
}
