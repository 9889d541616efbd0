extern int nondet_int(void);
static int held;
void lock(void) { held = 1; }
void unlock(void) { held = 0; }
void work(int n) {
    lock();
    if (n > 0) work(n - 1); /* its unlock is not the one of this call */
    if (n > 1) return;
    unlock();
}

int main(void) {
    work(2);
    return 0;
}
