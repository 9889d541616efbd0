// property: assert
// verdict: unsafe
// harness: the order of threads
#include <assert.h>
#include <threads.h>

mtx_t mutex;
int total, parts;

void add(int number) {
    mtx_lock(&mutex);
    total += number;
    mtx_unlock(&mutex);
}

int work(void *argument) {
    mtx_lock(&mutex);
    add(1);
    add(1);
    mtx_unlock(&mutex);
    parts++;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t one, two;
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    thrd_create(&one, work, 0);
    thrd_create(&two, work, 0);
    mtx_lock(&mutex);
    assert(total == 2 * parts);
    mtx_unlock(&mutex);
    thrd_join(one, 0);
    thrd_join(two, 0);
    assert(total == 4);
    return 0;
}
