// property: unreach-call
// verdict: safe
// Behind a limit that is a multiple of four, a counter goes on by four; no run comes so far.
extern void reach_error(void);

int main(void) {
    unsigned x = 0, credit = 0;
    while (x < 0x0ffffff0) {
        if (x < 0x10000) {
            x++;
            credit = 3;
        } else {
            x += 4;
            credit++;
        }
    }
    if (x % 4 != 0)
        reach_error();
    return 0;
}
