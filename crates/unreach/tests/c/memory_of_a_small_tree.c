// property: valid-memsafety
// verdict: safe
// Where the new leaf hangs depends on the inputs; all leaves are cut off one by one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct branch {
    struct branch *left, *right;
};

int main(void) {
    struct branch *root = calloc(1, sizeof *root);
    for (int i = 0; i < 2; i++) {
        struct branch *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left && __VERIFIER_nondet_int())
            at->left = calloc(1, sizeof *at);
        if (!at->right && __VERIFIER_nondet_int())
            at->right = calloc(1, sizeof *at);
    }
    while (root) {
        struct branch *above = 0, *at = root;
        while (at->left || at->right) {
            above = at;
            at = at->left ? at->left : at->right;
        }
        if (!above)
            root = 0;
        else if (at == above->left)
            above->left = 0;
        else
            above->right = 0;
        free(at);
    }
    return 0;
}
