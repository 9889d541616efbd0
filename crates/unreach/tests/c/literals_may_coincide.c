// property: unreach-call
// verdict: unknown
// Compilers may put both literals in one place, also one at the end of the other (C11 6.4.5).
extern void reach_error(void);

int main(void) {
    const char *whole = "outside";
    const char *part = "side";
    if (whole + 3 == part)
        reach_error();
    return 0;
}
