// check: data-race
// verdict: safe
#include <threads.h>

static int data;
static mtx_t mutex;

static int worker(void *argument)
{
    mtx_lock(&mutex);
    data++;
    mtx_unlock(&mutex);
    return 7;
}

int main(void)
{
    thrd_t one, two;
    int result;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&one, worker, 0);
    thrd_create(&two, worker, 0);
    thrd_join(one, &result);
    thrd_join(two, 0);
    data = result;
    return 0;
}
