// property: assert
// verdict: safe
extern void __CPROVER_assert(__CPROVER_bool, const char *);

int main(void)
{
    __CPROVER_size_t size = -1;
    __CPROVER_ssize_t difference = -1;
    __CPROVER_bool truth = 2;
    __CPROVER_assert(size > 0 && difference < 0 && truth == 1, "the types of the machine");
    return 0;
}
