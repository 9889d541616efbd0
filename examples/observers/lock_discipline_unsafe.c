struct mutex { int owner; };
static struct mutex a, b;
extern int nondet_int(void);
void lock(struct mutex *m) { m->owner = 1; }
void unlock(struct mutex *m) { m->owner = 0; }

int main(void) {
    struct mutex *second = nondet_int() == 7 ? &a : &b;
    lock(&a);
    lock(second); /* the same lock, if the input is 7 */
    unlock(second);
    unlock(&a);
    return 0;
}
