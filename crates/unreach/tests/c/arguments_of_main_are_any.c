// property: assert
// verdict: unsafe
// harness: the arguments of a test are not inputs
#include <assert.h>

int main(int argc, char *argv[]) {
    if (argc == 2)
        assert(argv[1][0] != 'x');
    return 0;
}
