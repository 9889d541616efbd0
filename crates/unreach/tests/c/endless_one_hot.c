// property: unreach-call
// verdict: safe
// A state machine whose states are single bits, and which takes input for ever.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned state = 1;
    for (;;) {
        unsigned char input = __VERIFIER_nondet_uchar();
        switch (state) {
        case 1:
            if (input & 1)
                state = 2;
            break;
        case 2:
            if (input & 2)
                state = 4;
            else if (input & 4)
                state = 1;
            break;
        case 4:
            if (input == 0x80)
                state = 1;
            break;
        default:
            reach_error();
        }
        if ((state & (state - 1)) != 0)
            reach_error();
    }
}
