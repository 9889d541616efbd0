//@ verdict: false
//@ ltl invariant guarded: [](call(write()) ==> AP(held == 1));
int held, data;
void write(int value) { held = 0; data = value; }
int main(void) {
    held = 1;
    write(3);
    write(4);
    return 0;
}
