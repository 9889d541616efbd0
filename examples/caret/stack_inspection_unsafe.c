extern int nondet_int(void);
static int written;
void write_file(int value) { written = value; }
void helper(int depth) { if (depth > 0) helper(depth - 1); else write_file(depth); }
void with_permission(int depth) { helper(depth); }

int main(void) {
    with_permission(3);
    /* the permission is no longer on the stack */
    if (nondet_int() == 1) helper(1);
    return 0;
}
