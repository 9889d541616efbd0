extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        int step = __VERIFIER_nondet_int();
        if (step > 0 && step < 1000 && sum < 1000000)
            sum = sum + step;
    }
    return sum > 0;
}
