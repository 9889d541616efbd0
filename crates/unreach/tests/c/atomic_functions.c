// property: assert
// verdict: safe
// harness: assertions in annotations
// Without threads the atomic functions are ordinary ones.
int main(void) {
    int x = 1, y = 2, z = 0;
    int *p = &x, *q = 0;
    __atomic_exchange(&x, &y, &z, 5);
    //@ assert x == 2 && y == 2 && z == 1;
    int old = __atomic_fetch_sub(&x, 5, 5);
    //@ assert old == 2 && x == -3;
    int new = __atomic_add_fetch(&x, 4, 5);
    //@ assert new == 1 && x == 1;
    int expected = 7;
    int done = __atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5);
    //@ assert done == 0 && expected == 1 && x == 1;
    done = __atomic_compare_exchange_n(&x, &expected, 9, 0, 5, 5);
    //@ assert done == 1 && expected == 1 && x == 9;
    __atomic_store_n(&q, p, 5);
    int same = __atomic_load_n(&q, 5) == &x;
    //@ assert same == 1;
    _Bool flag = 0;
    int before = __atomic_test_and_set(&flag, 5);
    //@ assert before == 0 && flag == 1;
    __atomic_clear(&flag, 5);
    //@ assert flag == 0;
    return 0;
}
