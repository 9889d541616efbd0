extern int nondet_int(void);
static int counter;
void enter(void) { }
void leave(void) { }

int main(void) {
    enter();
    if (nondet_int() == 5) goto retry;
    counter++;
    leave();
    return 0;
retry:
    counter = 0; /* the label gives the section up */
    return 1;
}
