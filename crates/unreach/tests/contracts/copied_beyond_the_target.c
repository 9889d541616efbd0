// contracts: enforce f
// verdict: unsafe
#include <string.h>
char to[8], from[8];
void f(unsigned n)
__CPROVER_requires(n <= 8)
__CPROVER_assigns(__CPROVER_object_upto(to, 4))
{ memcpy(to, from, n); }
unsigned any(void);
int main(void) { f(any()); }
