// property: assert
// verdict: safe
#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    assert(!sigismember(&set, SIGINT) && sigaddset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 1);
    assert(!sigismember(&set, SIGTERM) && sigdelset(&set, SIGINT) == 0 && !sigismember(&set, SIGINT));
    assert(sigaddset(&set, 0) == -1 && sigfillset(&set) == 0 && sigismember(&set, SIGTERM));
    return 0;
}
