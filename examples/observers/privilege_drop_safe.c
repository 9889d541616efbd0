extern int nondet_int(void);
int set_user(int user) { return nondet_int() ? -1 : 0; }
void run_program(int number) { (void)number; }

int main(void) {
    int user = nondet_int();
    if (user == 0) return 1;
    if (set_user(user) != 0) return 2;
    run_program(5);
    return 0;
}
