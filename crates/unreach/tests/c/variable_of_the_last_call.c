// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the variable of the next call has the same place, so no sanitizer notices
// A pointer to a variable of a call that has returned leads to nothing in the next call.
static int *kept;

static int next(int first) {
    int own = first;
    if (!first) return *kept;
    kept = &own;
    return own;
}

int main(void) {
    next(1);
    return next(0);
}
