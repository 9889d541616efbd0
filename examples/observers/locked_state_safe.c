extern int nondet_int(void);
static int counter;
void enter(void) { }
void leave(void) { }

int main(void) {
    while (nondet_int()) {
        enter();
        if (nondet_int() && counter < 1000) counter++;
        else if (counter > 0) counter--;
        leave();
    }
    return 0;
retry:
    return 1;
}
