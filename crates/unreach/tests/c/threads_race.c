// property: unreach-call
// verdict: unsafe
// harness: the order of threads
#include <pthread.h>
extern void reach_error(void);

int shared = 0;

void *add(void *argument) {
    shared += *(int *)argument;
    return 0;
}

int main(void) {
    pthread_t first, second;
    int one = 1, two = 2;
    pthread_create(&first, 0, add, &one);
    pthread_create(&second, 0, add, &two);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (shared != 3) {
        reach_error();
    }
    return 0;
}
