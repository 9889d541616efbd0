// property: assert
// verdict: unsafe
// A name tells what an input is that is not declared: this one is no `int`, and may be no number.
// harness: a compiler takes it for an `int`
#include <assert.h>
#include <math.h>

int main(void) {
    double x = nondet_double();
    assert(!isunordered(x, 0.0));
    return 0;
}
