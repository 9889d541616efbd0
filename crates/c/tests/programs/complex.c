// Complex numbers: every operator, with infinities, zeros of both signs and numbers that no operation keeps exactly.
#include <string.h>
long long result;

static void take(double value)
{
    long long bits = 0;
    if (value != value) {
        value = 1234.5;
    }
    memcpy(&bits, &value, sizeof value);
    result = result * 31 + (bits >> 3);
}

static void take_both(double _Complex z)
{
    take(__real__ z);
    take(__imag__ z);
}

static double values[] = {0.0, -0.0, 1.0, -2.5, 0.1, 1e300, 3e-310, 7.25};

static double _Complex made(int first, int second)
{
    double _Complex z;
    __real__ z = values[first & 7];
    __imag__ z = values[second & 7];
    return z;
}

int main(void)
{
    double infinite = __builtin_inf();
    int i;
    for (i = 0; i < 24; i++) {
        double _Complex a = made(i, i * 3 + 1), b = made(i * 5 + 2, i / 3), c = a;
        float _Complex narrow = a, other = b;
        double real = values[(i * 7) & 7];
        if (i % 11 == 5) {
            __real__ a = infinite;
        }
        take_both(a + b);
        take_both(a - b);
        take_both(a * b);
        take_both(a / b);
        take_both(real - a);
        take_both(real / a);
        take_both(a * real);
        take_both(narrow * other);
        take_both(narrow / other);
        take_both(-a);
        take_both(~a);
        c *= b;
        c++;
        take_both(c--);
        result += (a == b) + 2 * (a != c) + 4 * !a + (a ? 8 : 16);
        take_both(i % 2 ? a : real);
    }
    return 0;
}
