// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The test makes strings of the lengths that it takes.
#include <string.h>

int main(int argc, char **argv) {
    char name[3];
    if (argc == 2 && strlen(argv[1]) < 2) strcpy(name, argv[argc]);
    return 0;
}
