// property: assert
// verdict: unknown
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void) {
    kill(getpid(), SIGKILL);
    assert(0);
    return 0;
}
