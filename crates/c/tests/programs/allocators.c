/* Blocks of several types from one function that allocates, and from one that also fills what it allocates. */
#include <stdlib.h>
#include <string.h>
long long result;
struct a { int x; struct a *next; };
struct b { double d; char c[3]; };
void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
void *get_twice_wrapped(size_t n) { return n ? get(n) : 0; }
void *zeroed(size_t n) { char *p = malloc(n); memset(p, 0, n); return p; }
int main(void) {
    struct a *a = get(sizeof *a), *z = zeroed(sizeof *z);
    struct b *b = get_twice_wrapped(sizeof *b);
    a->x = 5; a->next = z; b->d = 2.5; b->c[1] = 7;
    z->x += 3;
    result = a->x * 100 + a->next->x * 10 + (z->next == 0) + (long long)(b->d * 2) * 1000 + b->c[1] * 10000;
    free(a); free(b); free(z);
    return 0;
}
