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
#endif
