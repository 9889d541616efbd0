extern int nondet_int(void);
static int next = 3;
int file_open(int name) { if (name < 0) return -1; next++; return next; }
int file_read(int file) { return file; }
void file_close(int file) { (void)file; }

int main(void) {
    int file = file_open(nondet_int());
    if (file < 0) return 1;
    if (file_read(file) == 0) file_close(file);
    file_read(file);
    if (nondet_int()) return 2; /* forgets to close */
    file_close(file);
    return 0;
}
