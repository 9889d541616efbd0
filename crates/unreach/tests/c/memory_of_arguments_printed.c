// property: valid-memsafety
// verdict: safe
// Nobody changes the arguments, so they end as they did when the program began.
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[])
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 1;
    }
    printf("%s\n", argv[1]);
    return 0;
}
