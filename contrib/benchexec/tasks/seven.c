extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n)
        i = i + 1;
    if (n >= 0 && n == 7)
        reach_error();
    return 0;
}
