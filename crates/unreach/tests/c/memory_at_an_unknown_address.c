// property: valid-memsafety
// verdict: unknown
// What an unknown function returns may be the address of something.
extern long where(void);

int main(void) {
    int *somewhere = (int *)where();
    if (somewhere)
        *somewhere = 1;
    return 0;
}
