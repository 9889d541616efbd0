// check: deadlock
// verdict: safe
#define _GNU_SOURCE
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
};

static struct account account = {0, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static void add(int amount)
{
    pthread_mutex_lock(&account.mutex);
    account.balance += amount;
    pthread_mutex_unlock(&account.mutex);
}

static void *worker(void *argument)
{
    pthread_mutex_lock(&account.mutex);
    add(1);
    add(-1);
    pthread_mutex_unlock(&account.mutex);
    return 0;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
