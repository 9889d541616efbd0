extern int nondet_int(void);
static int message;
int send(void) { return nondet_int(); }

int main(void) {
    for (int i = 0; i < 100; i++) {
        message = i;
        for (int tries = 0; tries < 3; tries++)
            if (send() == 0) break;
    }
    return 0;
}
