extern int nondet_int(void);
static int written;
void write_file(int value) { written = value; }
void helper(int depth) { if (depth > 0) helper(depth - 1); else write_file(depth); }
void with_permission(int depth) { helper(depth); }

int main(void) {
    while (nondet_int()) with_permission(nondet_int());
    return 0;
}
