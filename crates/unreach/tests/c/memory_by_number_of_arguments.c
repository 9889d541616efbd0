// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The test calls `main` with as many arguments as it takes.
int main(int argc, char **argv) {
    int cells[3] = {0, 0, 0};
    if (argc > 4) return 0;
    cells[argc] = 1;
    return cells[0];
}
