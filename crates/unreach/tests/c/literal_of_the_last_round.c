// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the literal of the next round has the same place, so no sanitizer notices
// A literal in a loop is another object in every round.
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 2; i++) {
        int *now = (int[]){i, 2};
        if (last) sum += *last;
        last = now;
    }
    return sum;
}
