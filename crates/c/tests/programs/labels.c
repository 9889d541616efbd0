/* Addresses of labels, computed goto, labels of blocks. */
extern int __VERIFIER_nondet_int(void);
long result;

static int run(const unsigned char *code)
{
    static void *const table[] = { &&stop, &&add, &&twice };
    int value = 1;
    goto *table[*code];
add:
    value += 3;
    goto *table[*++code];
twice:
    value *= 2;
    goto *table[*++code];
stop:
    return value;
}

int main(void)
{
    unsigned char code[] = { 1, 2, 2, 1, 0 };
    result = run(code);
    { __label__ out; goto out; result = 1; out:; }
    { __label__ out; if (result > 3) goto out; result = 2; out:; }
    void *target = __VERIFIER_nondet_int() > 0 ? &&first : &&second;
    goto *target;
first:
    result += 100;
second:
    result += 1000;
    return 0;
}
