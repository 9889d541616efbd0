// property: unreach-call
// verdict: safe
// harness: the order of threads
// What a thread returns or exits with goes to who joins it.
#include <pthread.h>
extern void reach_error(void);

int small = 0, large = 0;

void *work(void *argument) {
    int local = *(int *)argument;
    if (local > 5) {
        large = local;
        pthread_exit(&large);
    }
    small = local;
    return &small;
}

int main(void) {
    pthread_t first, second;
    int one = 1, seven = 7;
    void *result;
    pthread_create(&first, 0, work, &one);
    pthread_create(&second, 0, work, &seven);
    pthread_join(second, &result);
    if (*(int *)result != 7) {
        reach_error();
    }
    pthread_join(first, &result);
    if (*(int *)result != 1) {
        reach_error();
    }
    return 0;
}
