// Functions of the library on floating numbers.
double fabs(double), fmin(double, double), fmax(double, double), fdim(double, double), floor(double), ceil(double);
double trunc(double), round(double), rint(double), nearbyint(double), sqrt(double), copysign(double, double);
double fmod(double, double), remainder(double, double), modf(double, double *);
float fabsf(float), floorf(float), ceilf(float), truncf(float), roundf(float), rintf(float), sqrtf(float), fmodf(float, float);
long lround(double), lrint(double);
long long result;

union of_double {
    double number;
    unsigned long long bits;
};

void mix(unsigned long long value) { result = result * 31 + value; }

void mix_double(double x) {
    union of_double u;
    u.number = x;
    mix(x != x ? 1 : u.bits);
}

int main(void) {
    double some[14] = {0.0, -0.0, 0.5, -1.5, 2.5, -3.49999, 0.1, 1e300, -1e308, 4.9e-324, 3e-310, 1234.75, __builtin_inf(), __builtin_nan("")};
    for (int i = 0; i < 14; i++) {
        double x = some[i];
        float f = x;
        mix_double(fabs(x)), mix_double(floor(x)), mix_double(ceil(x)), mix_double(trunc(x)), mix_double(round(x));
        mix_double(rint(x)), mix_double(nearbyint(x)), mix_double(sqrt(x)), mix_double(sqrt(-x));
        mix_double(fabsf(f)), mix_double(floorf(f)), mix_double(ceilf(f)), mix_double(truncf(f)), mix_double(roundf(f));
        mix_double(rintf(f)), mix_double(sqrtf(f));
        mix(__builtin_isnan(x) != 0), mix(__builtin_isinf(x) != 0), mix(__builtin_isfinite(x) != 0), mix(__builtin_isnormal(x) != 0);
        mix(__builtin_isnormal(f) != 0), mix(__builtin_isinf_sign(-x)), mix(x != x ? 3 : __builtin_signbit(x) != 0);
        mix(__builtin_fpclassify(0, 1, 4, 3, 2, x)), mix(__builtin_fpclassify(10, 11, 14, 13, 12, f));
        double whole = 7;
        mix_double(modf(x, &whole)), mix_double(whole);
        if (fabs(x) < 1e9)
            mix(lround(x)), mix(lrint(x));
        for (int j = 0; j < 14; j++) {
            double y = some[j];
            // Of two zeros, either may be the lesser.
            if (x != y || i == j)
                mix_double(fmin(x, y)), mix_double(fmax(x, y));
            mix_double(fdim(x, y)), mix_double(copysign(1.0, x != x ? 1 : x));
            mix_double(fmod(x, y)), mix_double(remainder(x, y)), mix_double(fmodf(f, y));
            mix(__builtin_isless(x, y)), mix(__builtin_islessequal(x, y)), mix(__builtin_isgreater(x, y)), mix(__builtin_isgreaterequal(x, y));
            mix(__builtin_isless(f, y)), mix(__builtin_isgreater(x, 1)), mix(__builtin_islessequal(2, f));
            mix(__builtin_islessgreater(x, y)), mix(__builtin_isunordered(x, y));
        }
    }
    return 0;
}
