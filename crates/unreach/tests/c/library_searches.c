// property: assert
// verdict: safe
#include <assert.h>
#include <libgen.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int same(const void *one, const void *other) { return *(const int *)one != *(const int *)other; }

struct link { struct link *next, *before; };

int main(void) {
    int numbers[4] = {3, 1}, wanted = 1;
    size_t count = 2;
    assert(lfind(&wanted, numbers, &count, sizeof(int), same) == numbers + 1);
    wanted = 9;
    assert(lfind(&wanted, numbers, &count, sizeof(int), same) == NULL);
    assert(lsearch(&wanted, numbers, &count, sizeof(int), same) == numbers + 2 && count == 3 && numbers[2] == 9);
    char path[] = "/a/b", plain[] = "b";
    assert(strcmp(basename(path), "b") == 0 && strcmp(dirname(path), "/a") == 0);
    assert(strcmp(dirname(plain), ".") == 0);
    struct link a = {0, 0}, b = {0, 0};
    insque(&a, NULL);
    insque(&b, &a);
    assert(a.next == &b && b.before == &a);
    remque(&b);
    assert(a.next == NULL);
    return 0;
}
