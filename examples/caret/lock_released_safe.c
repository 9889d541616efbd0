extern int nondet_int(void);
static int held;
void lock(void) { held = 1; }
void unlock(void) { held = 0; }
void work(int n) {
    if (n <= 0) return;
    lock();
    unlock();
    work(n - 1);
}

int main(void) {
    work(nondet_int());
    return 0;
}
