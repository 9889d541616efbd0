// property: assert
// verdict: safe
#include <assert.h>
#include <math.h>

int main(void) {
    assert(log2(8.0) > 2.99 && log2(8.0) < 3.01);
    assert(powf(2.0f, 0.5f) > 1.41f);
    assert(acos(-1.0) > 3.14);
    return 0;
}
