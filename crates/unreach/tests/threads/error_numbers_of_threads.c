// check: data-race
// verdict: safe
#include <pthread.h>
#include <errno.h>



static void *first(void *argument)
{
    errno = 0;
    if (errno == 0)
        errno = 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
