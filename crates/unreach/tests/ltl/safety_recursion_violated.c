//@ verdict: false
//@ ltl invariant ordered: [](AP(released == 1) ==> []AP(taken == 0));
int taken, released;
void down(int n) {
    if (n > 0)
        down(n - 1);
    else
        taken = 1;
}
int main(void) {
    released = 1;
    down(3);
    taken = 0;
}
