// property: unreach-call
// verdict: safe
// Bytes come in, wait and go out: an equation between three counters. The low bit of the state is the parity of what came in.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int in = 0, out = 0, waiting = 0;
    unsigned state = 0;
    for (;;) {
        if (__VERIFIER_nondet_int()) {
            if (in < 1000000 && waiting < 100) {
                in++;
                waiting++;
                state ^= 1u;
            }
        } else if (waiting > 0) {
            waiting--;
            out++;
            state = (state & 1u) | ((state << 1) & 0xfeu);
        }
        if (out > in || state > 0xffu || (state & 1u) != ((unsigned)in & 1u))
            reach_error();
    }
}
