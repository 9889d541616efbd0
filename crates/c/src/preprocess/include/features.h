#ifndef __UNREACH_FEATURES_H
#define __UNREACH_FEATURES_H
#include <sys/cdefs.h>
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_PREREQ(major, minor) ((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#endif
