// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// The argument has no end any more when it is printed.
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[])
{
    if (argc < 2) return 0;
    char *text = argv[1];
    if (text[0] == 0) text[0] = 'x';
    else return 0;
    printf("%s\n", argv[1]);
    return 0;
}
