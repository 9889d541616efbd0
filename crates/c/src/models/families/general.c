//// imaxdiv
#include <inttypes.h>
imaxdiv_t imaxdiv(intmax_t left, intmax_t right)
{
    imaxdiv_t result;
    result.quot = left / right;
    result.rem = left % right;
    return result;
}

//// strtoimax
#include <stdlib.h>
#include <inttypes.h>
intmax_t strtoimax(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

//// strtoumax
#include <stdlib.h>
#include <inttypes.h>
uintmax_t strtoumax(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

//// rand_r
/* What follows from a seed is left open. */
extern int __unknown_int(void);
extern unsigned int __unknown_unsigned(void);
int rand_r(unsigned int *seed)
{
    int number = __unknown_int();
    __builtin_assume(number >= 0);
    *seed = __unknown_unsigned();
    return number;
}

//// srandom
void srandom(unsigned int seed)
{
}

//// srand48
void srand48(long seed)
{
}

//// drand48
extern double __nondet_double(void);
double drand48(void)
{
    double number = __nondet_double();
    __builtin_assume(number >= 0 && number < 1);
    return number;
}

//// mrand48
extern long __nondet_long(void);
long mrand48(void)
{
    long number = __nondet_long();
    __builtin_assume(number >= -2147483647L - 1 && number <= 2147483647L);
    return number;
}

//// arc4random
extern unsigned int __nondet_unsigned(void);
unsigned int arc4random(void)
{
    return __nondet_unsigned();
}

//// arc4random_uniform
extern unsigned int __nondet_unsigned(void);
unsigned int arc4random_uniform(unsigned int bound)
{
    unsigned int number = __nondet_unsigned();
    __builtin_assume(bound == 0 ? number == 0 : number < bound);
    return number;
}

//// arc4random_buf
void arc4random_buf(void *to, __SIZE_TYPE__ size)
{
    __unreach_fill(to, size);
}

//// getrandom
long getrandom(void *to, __SIZE_TYPE__ size, unsigned int flags)
{
    long length = __unreach_length(size);
    if (length > 0) {
        __unreach_fill(to, (__SIZE_TYPE__)length);
    }
    return length;
}

//// getentropy
int getentropy(void *to, __SIZE_TYPE__ size)
{
    if (size > 256 || __unreach_done() == -1) {
        __unreach_error();
        return -1;
    }
    __unreach_fill(to, size);
    return 0;
}

//// at_quick_exit
/* `quick_exit` would call it. */
extern void __unknown_argument(void);
int at_quick_exit(void (*function)(void))
{
    __unknown_argument();
    return 0;
}

//// lfind
#include <search.h>
void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*order)(const void *, const void *))
{
    const char *bytes = base;
    size_t index;
    for (index = 0; index < *count; index++) {
        if (order(key, bytes + index * size) == 0) {
            return (void *)(bytes + index * size);
        }
    }
    return (void *)0;
}

//// lsearch
#include <search.h>
void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*order)(const void *, const void *))
{
    char *bytes = base;
    void *found = lfind(key, base, count, size, order);
    if (found == (void *)0) {
        found = bytes + *count * size;
        __builtin_memcpy(found, key, size);
        *count = *count + 1;
    }
    return found;
}

//// __unreach_queued
struct __unreach_queued { struct __unreach_queued *next; struct __unreach_queued *before; };

//// insque
void insque(void *element, void *behind)
{
    struct __unreach_queued *new = element;
    struct __unreach_queued *before = behind;
    if (before == (struct __unreach_queued *)0) {
        new->next = before;
        new->before = before;
        return;
    }
    new->next = before->next;
    new->before = before;
    if (before->next) {
        before->next->before = new;
    }
    before->next = new;
}

//// remque
void remque(void *element)
{
    struct __unreach_queued *old = element;
    if (old->before) {
        old->before->next = old->next;
    }
    if (old->next) {
        old->next->before = old->before;
    }
}

//// fnmatch
extern int __unknown_int(void);
int fnmatch(const char *pattern, const char *text, int flags)
{
    __unreach_ends(pattern);
    __unreach_ends(text);
    return __unknown_int();
}

//// readdir
#include <dirent.h>
extern int __nondet_int(void);
extern struct dirent __nondet_struct_dirent(void);
extern __SIZE_TYPE__ __nondet_size_t(void);
struct dirent *readdir(DIR *directory)
{
    static struct dirent entry;
    __SIZE_TYPE__ length = __nondet_size_t();
    if (__nondet_int()) {
        __unreach_errno();
        return (struct dirent *)0;
    }
    __builtin_assume(length > 0 && length <= 255);
    entry = __nondet_struct_dirent();
    __unreach_fill_text(entry.d_name, length);
    return &entry;
}

//// rewinddir
void rewinddir(void *directory)
{
}

//// dirfd
int dirfd(void *directory)
{
    return __unreach_number();
}

//// sigemptyset
#include <signal.h>
int sigemptyset(sigset_t *set)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < sizeof(set->__val) / sizeof(set->__val[0]); index++) {
        set->__val[index] = 0;
    }
    return 0;
}

//// sigfillset
#include <signal.h>
int sigfillset(sigset_t *set)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < sizeof(set->__val) / sizeof(set->__val[0]); index++) {
        set->__val[index] = -1UL;
    }
    return 0;
}

//// sigaddset
/* Two numbers are the library's own. */
#include <signal.h>
extern void __unknown_argument(void);
int sigaddset(sigset_t *set, int number)
{
    if (number < 1 || number > 64) {
        __unreach_error();
        return -1;
    }
    if (number == 32 || number == 33) {
        __unknown_argument();
    }
    set->__val[(number - 1) / (8 * sizeof(long))] |= 1UL << ((number - 1) % (8 * sizeof(long)));
    return 0;
}

//// sigdelset
/* Two numbers are the library's own. */
#include <signal.h>
extern void __unknown_argument(void);
int sigdelset(sigset_t *set, int number)
{
    if (number < 1 || number > 64) {
        __unreach_error();
        return -1;
    }
    if (number == 32 || number == 33) {
        __unknown_argument();
    }
    set->__val[(number - 1) / (8 * sizeof(long))] &= ~(1UL << ((number - 1) % (8 * sizeof(long))));
    return 0;
}

//// sigismember
/* Two numbers are the library's own. */
#include <signal.h>
extern void __unknown_argument(void);
int sigismember(const sigset_t *set, int number)
{
    if (number < 1 || number > 64) {
        __unreach_error();
        return -1;
    }
    if (number == 32 || number == 33) {
        __unknown_argument();
    }
    return (set->__val[(number - 1) / (8 * sizeof(long))] >> ((number - 1) % (8 * sizeof(long)))) & 1;
}

//// sigprocmask
#include <signal.h>
extern sigset_t __nondet_set_of_signals(void);
int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    if (old) {
        *old = __nondet_set_of_signals();
    }
    return __unreach_done();
}

//// pthread_sigmask
#include <signal.h>
extern sigset_t __nondet_set_of_signals(void);
extern int __nondet_int(void);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    int result = __nondet_int();
    if (old) {
        *old = __nondet_set_of_signals();
    }
    __builtin_assume(result >= 0);
    return result;
}

//// rotateleft8
unsigned char rotateleft8(unsigned char bits, unsigned char count)
{
    count = count % 8;
    return count == 0 ? bits : (unsigned char)(bits << count | bits >> (8 - count));
}

//// rotateright8
unsigned char rotateright8(unsigned char bits, unsigned char count)
{
    count = count % 8;
    return count == 0 ? bits : (unsigned char)(bits >> count | bits << (8 - count));
}

//// rotateleft16
unsigned short rotateleft16(unsigned short bits, unsigned short count)
{
    count = count % 16;
    return count == 0 ? bits : (unsigned short)(bits << count | bits >> (16 - count));
}

//// rotateright16
unsigned short rotateright16(unsigned short bits, unsigned short count)
{
    count = count % 16;
    return count == 0 ? bits : (unsigned short)(bits >> count | bits << (16 - count));
}

//// rotateleft32
unsigned int rotateleft32(unsigned int bits, unsigned int count)
{
    count = count % 32;
    return count == 0 ? bits : (unsigned int)(bits << count | bits >> (32 - count));
}

//// rotateright32
unsigned int rotateright32(unsigned int bits, unsigned int count)
{
    count = count % 32;
    return count == 0 ? bits : (unsigned int)(bits >> count | bits << (32 - count));
}

//// rotateleft64
unsigned long long rotateleft64(unsigned long long bits, unsigned long long count)
{
    count = count % 64;
    return count == 0 ? bits : (unsigned long long)(bits << count | bits >> (64 - count));
}

//// rotateright64
unsigned long long rotateright64(unsigned long long bits, unsigned long long count)
{
    count = count % 64;
    return count == 0 ? bits : (unsigned long long)(bits >> count | bits << (64 - count));
}
