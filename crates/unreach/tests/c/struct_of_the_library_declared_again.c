// property: assert
// verdict: unsafe
// harness: what the library writes is not an input of the test
#include <assert.h>

struct stat {
    unsigned long nothing[2];
    long st_size;
    char more[100];
};
extern int stat(const char *, struct stat *);

int main(void) {
    struct stat about;
    about.st_size = 1;
    about.more[99] = 0;
    if (stat("x", &about) == 0) {
        assert(about.st_size == 1);
    }
    return 0;
}
