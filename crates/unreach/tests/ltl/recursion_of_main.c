//@ verdict: true
//@ ltl invariant comes: <>AP(a == 3);
// The function that the program begins with calls itself.
int a;
int main(void) {
    a = a + 1;
    if (a < 3) main();
    return 0;
}
