/* Pointers to pointers, to array elements, to functions; pointer arithmetic and comparison. */
long long result;
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) {
    int a[6] = { 5, 4, 3, 2, 1, 0 }, *p = a, *end = a + 6, x = 1, y = 2;
    int *px = &x, **pp = &px;
    **pp = 40; px = &y; *px += 3;
    while (p < end) { result = result * 10 + *p++; }
    result += end - a;
    swap(&a[0], &a[5]); swap(&x, &y);
    result = result * 3 + a[0] * 100 + a[5] + x + (y << 4);
    int (*ops[2])(int, int) = { add, sub };
    for (int i = 0; i < 2; i++) result = result * 5 + apply(ops[i], 9, i + 2);
    p = &a[3];
    result = result * 3 + p[-1] + *(p + 1) + (p == a + 3) + (p > a) + (p - &a[1]);
    return 0;
}
