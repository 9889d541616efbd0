// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: what is written behind the end is seen by the kernel, not by a sanitizer
#include <unistd.h>

int main(void) {
    char text[2] = {'a', 'b'};
    write(1, text, 0);
    write(1, text, 2);
    write(1, text + 1, 2);
    return 0;
}
