#ifndef __UNREACH_MATH_H
#define __UNREACH_MATH_H
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
extern double fabs(double);
extern float fabsf(float);
extern double floor(double);
extern double ceil(double);
extern double round(double);
extern double trunc(double);
extern double fmod(double, double);
extern double sqrt(double);
extern float sqrtf(float);
extern double pow(double, double);
extern double exp(double);
extern double log(double);
extern double log10(double);
extern double sin(double);
extern double cos(double);
extern double tan(double);
extern double asin(double);
extern double acos(double);
extern double atan(double);
extern double atan2(double, double);
extern double fmin(double, double);
extern double fmax(double, double);
#endif
