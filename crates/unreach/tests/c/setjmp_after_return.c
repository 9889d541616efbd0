// property: assert
// verdict: unknown
// A jump to a function that has returned has no meaning.
#include <assert.h>
#include <setjmp.h>
static jmp_buf b;
static int set(void) { return setjmp(b); }
int main(void) { if (set() == 0) longjmp(b, 1); assert(0); return 0; }
