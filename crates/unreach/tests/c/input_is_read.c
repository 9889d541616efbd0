// property: assert
// verdict: unsafe
// harness: what is typed is no function of the program
// What `scanf` reads is an input, and it may read less than it was asked for.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 7;
    int read = scanf("%d", &x);
    assert(read <= 1 && (read == 1 || x == 7));
    assert(x != 12345);
    return 0;
}
