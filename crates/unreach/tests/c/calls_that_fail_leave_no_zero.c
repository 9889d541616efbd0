// property: assert
// verdict: unsafe
// harness: whether a file can be read is not an input of the test
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    errno = 0;
    if (close(7) == -1) {
        assert(errno == 0);
    }
    return 0;
}
