/* Library functions reach members of structs through pointers to them. */
#include <string.h>

struct record { int head; int data[3]; struct { short low; short high; } pair; int tail; };

long long result;
static void mix(long long value) { result = result * 31 + value; }
static struct record first, second;

int main(void) {
    struct record *r = &first;
    r->head = 1; r->data[0] = 2; r->data[1] = 3; r->data[2] = 4; r->tail = 5;
    r->pair.low = 6; r->pair.high = 7;
    memset(r->data, 0, 2 * sizeof(int));
    mix(r->head); mix(r->data[0]); mix(r->data[1]); mix(r->data[2]); mix(r->tail);
    int value = 42;
    memcpy(&r->tail, &value, sizeof value);
    mix(r->tail); mix(r->head);
    memset(&r->pair, 0, sizeof r->pair);
    mix(r->pair.low + r->pair.high);
    second.head = 9;
    r = &second;
    memcpy(&first, r, sizeof first);
    mix(first.head); mix(first.tail);
    int sum, parts[2] = { 2147483647, -5 };
    mix(__builtin_add_overflow(parts[0], 1, &sum)); mix(sum);
    mix(__builtin_sub_overflow(parts[1], 2147483647, &r->head)); mix(r->head);
    mix(__builtin_mul_overflow(parts[1], 3, &sum)); mix(sum);
    unsigned char small;
    mix(__builtin_add_overflow(200, 100, &small)); mix(small);
    mix(__builtin_sadd_overflow(3, 4, &r->tail)); mix(r->tail);
    unsigned wide;
    mix(__builtin_usub_overflow(3u, 4u, &wide)); mix((int)(wide % 1000));
    mix(__builtin_add_overflow_p(2147483647, 1, (int)0)); mix(__builtin_add_overflow_p(2147483647, 1, (long long)0));
    mix(__sync_fetch_and_add(&r->head, 5)); mix(r->head);
    mix(__sync_add_and_fetch(&value, 5)); mix(__sync_fetch_and_or(&value, 64)); mix(value);
    mix(__sync_fetch_and_nand(&value, 9)); mix(value); mix(__sync_lock_test_and_set(&value, 3)); mix(value);
    mix(__sync_bool_compare_and_swap(&value, 3, 8)); mix(__sync_val_compare_and_swap(&value, 3, 9)); mix(value);
    return 0;
}
