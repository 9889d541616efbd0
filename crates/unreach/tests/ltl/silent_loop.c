//@ verdict: false
//@ ltl invariant comes: <>AP(x == 1);
// The loop changes nothing, so that what it never reaches never comes.
int x;
int main(void) {
    int i = 0;
    while (1)
        i = 1 - i;
}
