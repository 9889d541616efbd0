// property: assert
// verdict: unsafe
// The counter comes to its limit after a thousand of sixteen thousand calls.
#include <assert.h>

int used;

static void f13(void) { if (used < 1000) used++; }
static void f12(void) { if (used < 1000) used++; f13(); f13(); }
static void f11(void) { if (used < 1000) used++; f12(); f12(); }
static void f10(void) { if (used < 1000) used++; f11(); f11(); }
static void f9(void) { if (used < 1000) used++; f10(); f10(); }
static void f8(void) { if (used < 1000) used++; f9(); f9(); }
static void f7(void) { if (used < 1000) used++; f8(); f8(); }
static void f6(void) { if (used < 1000) used++; f7(); f7(); }
static void f5(void) { if (used < 1000) used++; f6(); f6(); }
static void f4(void) { if (used < 1000) used++; f5(); f5(); }
static void f3(void) { if (used < 1000) used++; f4(); f4(); }
static void f2(void) { if (used < 1000) used++; f3(); f3(); }
static void f1(void) { if (used < 1000) used++; f2(); f2(); }
static void f0(void) { if (used < 1000) used++; f1(); f1(); }

int main(void) {
    f0();
    assert(used > 0 && used < 1000);
    return 0;
}
