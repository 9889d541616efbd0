// property: unreach-call
// verdict: safe
// harness: the order of threads
// What a thread returns or exits with goes to who joins it; every thread has local variables of its own.
#include <pthread.h>
extern void *malloc(unsigned long);
extern void reach_error(void);

void *work(void *argument) {
    int local = *(int *)argument;
    int *address = &local;
    int *result = malloc(sizeof(int));
    *address = *address + 1;
    *result = local;
    if (local > 5) {
        pthread_exit(result);
    }
    return result;
}

int main(void) {
    pthread_t threads[2];
    int arguments[2] = {1, 7};
    void *result;
    pthread_create(&threads[0], 0, work, &arguments[0]);
    pthread_create(&threads[1], 0, work, &arguments[1]);
    pthread_join(threads[1], &result);
    if (*(int *)result != 8) {
        reach_error();
    }
    pthread_join(threads[0], &result);
    if (*(int *)result != 2) {
        reach_error();
    }
    return 0;
}
