#ifndef __UNREACH_SYS_MMAN_H
#define __UNREACH_SYS_MMAN_H
#include <sys/types.h>
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)
extern void *mmap(void *, size_t, int, int, int, off_t);
#define MREMAP_MAYMOVE 1
extern int munmap(void *, size_t);
extern void *mremap(void *, size_t, size_t, int, ...);
#define PROT_NONE 0
#define MAP_FIXED 16
#define MAP_ANON 32
#define MS_ASYNC 1
#define MS_SYNC 4
extern int mprotect(void *, size_t, int);
extern int msync(void *, size_t, int);
extern int mlock(const void *, size_t);
extern int munlock(const void *, size_t);
#endif
