extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int value = __VERIFIER_nondet_int();
    while (value != 0)
        value = -value;
    return 0;
}
