// contracts: enforce f
// verdict: unsafe
// says: a block that the contract does not list
#include <stdlib.h>
void f(int *p)
__CPROVER_assigns(*p)
{ free(p); }
int main(void) { f(malloc(sizeof(int))); }
