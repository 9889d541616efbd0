// property: assert
// verdict: safe
// Each function calls the next one twice: the shortest path to the assertion has sixteen million calls, and nobody may make it.
#include <assert.h>

int used;

static void f23(void) { if (used < 1000) used++; }
static void f22(void) { if (used < 1000) used++; f23(); f23(); }
static void f21(void) { if (used < 1000) used++; f22(); f22(); }
static void f20(void) { if (used < 1000) used++; f21(); f21(); }
static void f19(void) { if (used < 1000) used++; f20(); f20(); }
static void f18(void) { if (used < 1000) used++; f19(); f19(); }
static void f17(void) { if (used < 1000) used++; f18(); f18(); }
static void f16(void) { if (used < 1000) used++; f17(); f17(); }
static void f15(void) { if (used < 1000) used++; f16(); f16(); }
static void f14(void) { if (used < 1000) used++; f15(); f15(); }
static void f13(void) { if (used < 1000) used++; f14(); f14(); }
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
    assert(used > 0 && used <= 1000);
    return 0;
}
