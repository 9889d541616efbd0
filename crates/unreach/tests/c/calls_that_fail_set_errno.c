// property: assert
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char text[2];
    errno = 0;
    int file = open("x", O_RDONLY);
    assert(file >= 0 || errno > 0);
    errno = 0;
    assert(read(file, text, 2) >= 0 || errno != 0);
    return 0;
}
