/* Arrays of variable length: their lengths are evaluated where they stand. */
extern int __VERIFIER_nondet_int(void);
long result;

int main(void)
{
    int n = 2, c = __VERIFIER_nondet_int() > 0;
    result = c ? (int)sizeof(int[n++]) : 0;
    result = result * 10 + n;
    result = result * 10 + (c && sizeof(char[++n]) > 3);
    result = result * 10 + n;
    for (int i = 1; i < 4; i++) {
        char a[i];
        a[i - 1] = i;
        result += sizeof a + a[i - 1];
    }
    int (*p)[n] = 0;
    result = result * 10 + (int)sizeof *p;
    return 0;
}
