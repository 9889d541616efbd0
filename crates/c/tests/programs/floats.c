// Arithmetic and comparisons of floating numbers, with all kinds of them.
long long result;

union of_double {
    double number;
    unsigned long long bits;
};
union of_float {
    float number;
    unsigned bits;
};

void mix(unsigned long long value) { result = result * 31 + value; }

void mix_double(double x) {
    union of_double u;
    u.number = x;
    // Which NaN it is, nobody says.
    mix(x != x ? 1 : u.bits);
}

void mix_float(float x) {
    union of_float u;
    u.number = x;
    mix(x != x ? 2 : u.bits);
}

int main(void) {
    double zero = 0.0;
    double some[12] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e308, -1e308, 4.9e-324, 2.2250738585072014e-308, 3e-310, 1 / zero, zero / zero};
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            double x = some[i], y = some[j];
            mix_double(x + y);
            mix_double(x - y);
            mix_double(x * y);
            mix_double(x / y);
            mix((x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y));
            float f = (float)x, g = y;
            mix_float(f + g);
            mix_float(f - g);
            mix_float(f * g);
            mix_float(f / g);
            // The sum is one of doubles, and rounded once more.
            float h = f + y;
            mix_float(h);
            f += y;
            f++;
            --g;
            mix_float(f);
            mix_float(-g);
        }
        mix(some[i] ? 1 : 2);
        mix(!some[i]);
        mix(some[i] && some[11 - i]);
        _Bool b = some[i];
        mix(b);
    }
    return 0;
}
