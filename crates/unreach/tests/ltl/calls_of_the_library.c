//@ verdict: false
//@ ltl invariant never: G ! call(puts());
extern int puts(const char *text);
int main(void) {
    puts("text");
    return 0;
}
