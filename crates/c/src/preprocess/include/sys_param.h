#ifndef __UNREACH_SYS_PARAM_H
#define __UNREACH_SYS_PARAM_H
#include <limits.h>
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define MAXPATHLEN 4096
#endif
