// check: data-race
// verdict: safe
#include <pthread.h>
#include <stdatomic.h>

static struct { atomic_int member; _Atomic int *pointer; } s;
static _Atomic int array[3], z;

static void *first(void *argument)
{
    s.member++;
    array[1] += 2;
    (*s.pointer)++;
    return 0;
}

static void *second(void *argument)
{
    s.member--;
    array[1]--;
    z = z + 1;
    return 0;
}

int main(void)
{
    pthread_t one, two;
    s.pointer = &z;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
