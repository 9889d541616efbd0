// property: unreach-call
// verdict: safe
// A ring buffer with counters that wrap around: the assertion is inductive by itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned head = 0, tail = 0;
    for (;;) {
        if (__VERIFIER_nondet_int()) {
            if (tail - head < 16u)
                tail++;
        } else if (tail != head) {
            head++;
        }
        if (tail - head > 16u)
            reach_error();
    }
}
