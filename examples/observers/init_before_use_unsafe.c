extern int nondet_int(void);
static int status;
int device_init(void) { status = nondet_int(); return status; }
void device_use(int command) { (void)command; }
void device_reset(void) { status = 1; }

int main(void) {
    int tries = 0;
    while (device_init() != 0 && tries < 3) tries++;
    device_use(1); /* the last try may have failed as well */
    return 0;
}
