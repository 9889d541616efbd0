// property: assert
// verdict: unsafe
// Functions that only sound like those of compilers or of the library are somebody else's.
#include <assert.h>
extern int parity(int), expect(int, int), popcount(int);

int main(void) {
    assert(parity(3) == 0 || expect(1, 2) == 1 || popcount(1) == 1);
    return 0;
}
