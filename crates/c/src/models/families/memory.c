//// mmap
/* Pages are whole ones; those of no file are zero. What else is mapped where the program says, or cannot be accessed, is left open. */
extern int __nondet_int(void);
extern void __unknown_argument(void);
void *mmap(void *at, __SIZE_TYPE__ size, int protection, int flags, int file, long from)
{
    char *memory;
    if (size == 0 || __nondet_int()) {
        __unreach_error();
        return (void *)-1;
    }
    if ((flags & 16) != 0 || (protection & 3) != 3 || size > 0x40000000) {
        __unknown_argument();
    }
    size = (size + 4095) / 4096 * 4096;
    memory = __unreach_permanent(size);
    if (flags & 32) {
        __builtin_memset(memory, 0, size);
    }
    return memory;
}

//// munmap
extern void __unknown_argument(void);
int munmap(void *at, __SIZE_TYPE__ size)
{
    if (__unreach_checks_memory()) {
        __unknown_argument();
    }
    return __unreach_done();
}

//// mprotect
extern void __unknown_argument(void);
int mprotect(void *at, __SIZE_TYPE__ size, int protection)
{
    if ((protection & 3) != 3) {
        __unknown_argument();
    }
    return __unreach_done();
}

//// msync
int msync(void *at, __SIZE_TYPE__ size, int flags)
{
    return __unreach_done();
}

//// mlock
int mlock(const void *at, __SIZE_TYPE__ size)
{
    return __unreach_done();
}

//// munlock
int munlock(const void *at, __SIZE_TYPE__ size)
{
    return __unreach_done();
}

//// posix_memalign
#include <stdlib.h>
int posix_memalign(void **to, size_t alignment, size_t size)
{
    void *memory;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return 22;
    }
    memory = alignment <= 16 ? __builtin_malloc(size) : aligned_alloc(alignment, size);
    if (memory == (void *)0) {
        return 12;
    }
    *to = memory;
    return 0;
}

//// reallocarray
void *reallocarray(void *memory, __SIZE_TYPE__ count, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        __unreach_error();
        return (void *)0;
    }
    return __builtin_realloc(memory, bytes);
}

//// malloc_usable_size
extern __SIZE_TYPE__ __unknown_size(void);
__SIZE_TYPE__ malloc_usable_size(void *memory)
{
    return memory ? __unknown_size() : 0;
}
