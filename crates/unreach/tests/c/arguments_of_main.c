// property: assert
// verdict: safe
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc >= 0);
    if (argc >= 2)
        assert(argv[1] != 0 && argv[0] != argv[1]);
    assert(argv[argc] == 0);
    return 0;
}
