#ifndef __UNREACH_TGMATH_H
#define __UNREACH_TGMATH_H
#include <math.h>
#endif
