/* What bit-fields hold, and the type of their values. */
long result;
struct fields { unsigned a : 3; signed b : 5; unsigned : 4; unsigned c : 32; _Bool d : 1; unsigned long e : 33; };

int main(void)
{
    struct fields f = { 9, 17, 0xfffffffe, 2, 5 };
    result = f.a + 10 * f.b + 100 * (long)f.c + f.d;
    result = result * 3 + ((f.a = 7) - 8 < 0);
    result = result * 3 + ((0, f.a) - 8 < 0);
    result = result * 3 + (f.c - 8 < 0);
    result = result * 3 + (f.a++ == 7) + f.a;
    result = result * 3 + (f.b -= 9);
    result = result * 3 + (long)(unsigned long)f.e;
    f.d = 6;
    result = result * 3 + f.d;
    f.a = f.b;
    result = result * 3 + f.a;
    return 0;
}
