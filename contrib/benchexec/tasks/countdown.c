extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned left = __VERIFIER_nondet_uint();
    while (left > 0)
        left = left - 1;
    return 0;
}
