// property: assert
// verdict: safe
// The buffer is a member, and the function that jumps is called through a pointer.
#include <assert.h>
#include <setjmp.h>
struct ctx { int level; jmp_buf env; int after; };
static void bad(struct ctx *c) { c->level = 2; longjmp(c->env, -4); }
static int run(struct ctx *c, void (*f)(struct ctx *)) {
    int r = setjmp(c->env);
    if (r) return r;
    f(c);
    return 1;
}
int main(void) {
    struct ctx c = {1, {{{0}}}, 7};
    assert(run(&c, bad) == -4);
    assert(c.level == 2 && c.after == 7);
    return 0;
}
