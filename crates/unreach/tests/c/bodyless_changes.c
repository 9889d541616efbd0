// property: assert
// verdict: unknown
// Nothing is known of the function: it may change what it is given.
#include <assert.h>
extern void tidy(int *);

int main(void) {
    int number = 1;
    tidy(&number);
    assert(number == 1);
    return 0;
}
