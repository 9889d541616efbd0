// property: assert
// verdict: safe
// On machines, a pointer behind null is not null.
int main(void) {
    char *p = 0;
    p++;
    //@ assert p != 0;
    return 0;
}
