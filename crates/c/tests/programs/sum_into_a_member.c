/* Nothing but a builtin looks at the member by itself. */
long long result;
static void mix(long long value) { result = result * 31 + value; }
static struct { int head; int tail; } first, second;
int main(void) {
    __typeof__(first) *r = &first;
    for (int round = 0; round < 2; round++) {
        mix(__builtin_add_overflow(2147483647, round, &r->tail)); mix(r->tail); mix(r->head);
        mix(__sync_fetch_and_sub(&r->head, 3)); mix(r->head); mix(r->tail);
        r = &second;
    }
    return 0;
}
