extern int nondet_int(void);
static int status;
int device_init(void) { status = nondet_int(); return status; }
void device_use(int command) { (void)command; }
void device_reset(void) { status = 1; }

int main(void) {
    while (device_init() != 0) { }
    for (int i = 0; i < 10; i++) device_use(i);
    device_reset();
    return 0;
}
