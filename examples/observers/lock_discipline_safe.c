struct mutex { int owner; };
static struct mutex a, b;
extern int nondet_int(void);
void lock(struct mutex *m) { m->owner = 1; }
void unlock(struct mutex *m) { m->owner = 0; }

int main(void) {
    while (nondet_int()) {
        lock(&a);
        if (nondet_int()) {
            lock(&b);
            unlock(&b);
        }
        unlock(&a);
    }
    return 0;
}
