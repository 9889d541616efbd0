extern int nondet_int(void);
static int message;
int send(void) { return nondet_int(); }

int main(void) {
    message = 1;
    int tries = 0;
    while (send() != 0 && tries < 3) tries++; /* one try too many */
    return 0;
}
