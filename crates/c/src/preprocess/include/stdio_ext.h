#ifndef __UNREACH_STDIO_EXT_H
#define __UNREACH_STDIO_EXT_H
#include <stdio.h>
extern size_t __fpending(FILE *);
extern int __freading(FILE *);
extern int __fwriting(FILE *);
#endif
