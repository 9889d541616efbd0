// Conversions between integers and floating numbers, and literals.
long long result;

union of_double {
    double number;
    struct {
        unsigned low, high;
    } words;
};
union of_float {
    float number;
    int bits;
};

void mix(unsigned long long value) { result = result * 31 + value; }

void mix_double(double x) {
    union of_double u;
    u.number = x;
    mix(u.words.low);
    mix(u.words.high);
}

void mix_float(float x) {
    union of_float u;
    u.number = x;
    mix(u.bits);
}

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
char __VERIFIER_nondet_char(void);

int main(void) {
    mix_double(0.1), mix_float(0.1f), mix_float(0.1), mix_double(0.1f);
    mix_double(0x1.8p3), mix_float(0x.1p-140f), mix_double(1e-320), mix_double(123456789012345678901234567890.0);
    mix_float(16777217), mix_double(9007199254740993LL), mix_float(1.00000005960464477539062f), mix_float(1.00000005960464488641292f);
    mix(sizeof(float) + 16 * sizeof(double) + 256 * sizeof(long double) + 4096 * sizeof(1.0f * 2));
    for (int i = 0; i < 4; i++) {
        int n = __VERIFIER_nondet_int();
        unsigned u = __VERIFIER_nondet_uint();
        long l = __VERIFIER_nondet_long();
        unsigned long v = __VERIFIER_nondet_ulong();
        char c = __VERIFIER_nondet_char();
        mix_double(n), mix_double(u), mix_double(l), mix_double(v), mix_double(c), mix_double((_Bool)c);
        mix_float(n), mix_float(u), mix_float(l), mix_float(v), mix_float(c);
        mix((int)(n * 0.37)), mix((unsigned)(u * 0.61)), mix((long)(l * 0.99)), mix((unsigned long)(v * 0.25f));
        mix((char)(c * 0.5f)), mix((short)-3.99), mix((int)1e9f), mix((unsigned char)255.9);
        n *= 0.5;
        u += 0.25f;
        mix(n), mix(u);
        long double wide = l;
        wide = wide * 3 + 0.1L;
        mix((long)(wide / 7)), mix_double(wide), mix_float(wide), mix(wide > l), mix((unsigned long)(wide < 0 ? -wide : wide) / 4);
    }
    union of_float bits;
    bits.bits = 0x40490fdb;
    mix_double(bits.number);
    float f = 1.5f;
    mix(*(int *)&f);
    *(unsigned *)&f = 0xc0000000u;
    mix_float(f);
    double d = -2.5;
    mix(((unsigned *)&d)[1]);
    return 0;
}
