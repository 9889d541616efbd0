/* Nothing but `memset` looks at the array as what it is by itself. */
#include <string.h>
long long result;
static void mix(long long value) { result = result * 31 + value; }
static struct { int head; int data[3]; int tail; } first, second;
int main(void) {
    __typeof__(first) *r = &first;
    for (int round = 0; round < 2; round++) {
        r->head = 1; r->data[0] = 2; r->data[1] = 3; r->data[2] = 4; r->tail = 5;
        memset(r->data, 0, 2 * sizeof(int));
        mix(r->head); mix(r->data[0]); mix(r->data[1]); mix(r->data[2]); mix(r->tail);
        r = &second;
    }
    return 0;
}
