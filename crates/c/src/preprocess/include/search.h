#ifndef __UNREACH_SEARCH_H
#define __UNREACH_SEARCH_H
#include <stddef.h>
extern void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
extern void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
extern void insque(void *, void *);
extern void remque(void *);
#endif
