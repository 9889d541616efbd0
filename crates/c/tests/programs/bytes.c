/* Integers seen through bytes and unions, little end first. */
long long result;
union value { unsigned int word; unsigned char byte[4]; short half[2]; };
int main(void) {
    union value v;
    v.word = 0x8badf00d;
    result = v.byte[0] + 3 * v.byte[3] + 7 * v.half[1];
    v.byte[1] = 0x7f; v.half[1] = -2;
    result = result * 13 + v.word;
    unsigned long long x = 0x0102030405060708ull; unsigned char *p = (unsigned char *)&x;
    p[7] ^= 0xff; p[0]--;
    result = result * 13 + (long long)(x % 1000003);
    int negative = -5; signed char *q = (signed char *)&negative;
    result = result * 13 + q[0] + q[3];
    return 0;
}
