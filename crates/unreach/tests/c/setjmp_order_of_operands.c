// property: assert
// verdict: unsafe
// harness: gcc chooses one order
// Whether the other operand was evaluated before the jump is open.
#include <assert.h>
#include <setjmp.h>
static jmp_buf b; static int n;
static int jump(void) { longjmp(b, 1); return 0; }
static int count(void) { return n++; }
int main(void) { if (setjmp(b) == 0) { int s = jump() + count(); (void)s; } else assert(n == 1); return 0; }
