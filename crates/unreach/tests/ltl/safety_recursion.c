//@ verdict: true
//@ ltl invariant ordered: [](AP(released == 1) ==> []AP(taken == 0));
// A safety formula is asked of the engines of reachability, for which recursion is no matter.
int taken, released;
void down(int n) {
    if (n > 0)
        down(n - 1);
    else
        taken = 1;
}
int main(void) {
    down(3);
    taken = 0;
    released = 1;
}
