// property: valid-memsafety
// verdict: unsafe
// fails: valid-memtrack
// The second node is lost when the first one forgets it; everything else is reached.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct Node {
    struct Node *next;
};

static struct Node *first;

int main(void) {
    first = malloc(sizeof *first);
    first->next = malloc(sizeof *first);
    first->next->next = NULL;
    if (__VERIFIER_nondet_int() == 17) {
        first->next = NULL;
    }
    return 0;
}
