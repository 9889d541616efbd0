// property: assert
// verdict: safe
// fesetround says how all following arithmetic rounds, and refuses what it does not know.
#include <assert.h>
#include <fenv.h>
#include <math.h>

extern float __VERIFIER_nondet_float(void);

static float third(float one)
{
  return one / 3.0f;
}

int main(void)
{
  volatile float one = 1.0f;
  volatile double large = 0x1.fffffffffffffp+1023, tiny = 0x1p-1074, half = 2.5;
  float x = __VERIFIER_nondet_float();
  float nearest = third(one);
  assert(fegetround() == FE_TONEAREST);
  assert(fesetround(FE_DOWNWARD) == 0 && fegetround() == FE_DOWNWARD);
  assert(third(one) < nearest);
  assert((float)large == 0x1.fffffep+127f && rint(half) == 2.0 && lrint(-half) == -3);
  assert(signbit(x - x) != 0 || isnan(x - x));
  assert(fesetround(FE_UPWARD) == 0);
  assert(third(one) == nearest);
  assert(isinf((float)large) && tiny / 2 == tiny && rint(half) == 3.0 && nearbyint(-half) == -2.0);
  assert(fesetround(FE_TOWARDZERO) == 0);
  assert(sqrt(2.0 * one) < 0x1.6a09e667f3bcdp+0 && -tiny / 2 == 0.0 && lrint(-half) == -2);
  assert(fesetround(77) != 0 && fegetround() == FE_TOWARDZERO);
  return 0;
}
