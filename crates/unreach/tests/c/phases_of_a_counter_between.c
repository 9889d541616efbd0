// property: unreach-call
// verdict: unsafe
// Behind a limit that is not a multiple of four, a counter goes on by four.
extern void reach_error(void);

int main(void) {
    unsigned x = 0, credit = 0;
    while (x < 0x200) {
        if (x < 0x101) {
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
