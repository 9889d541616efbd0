#ifndef __UNREACH_FEATURES_H
#define __UNREACH_FEATURES_H
#include <sys/cdefs.h>
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#endif
