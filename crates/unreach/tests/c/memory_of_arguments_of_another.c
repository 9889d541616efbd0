// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// A variable of a block has the name of the arguments.
#include <stdio.h>
int main(int argc, char *argv[])
{
    {
        char letters[1] = { 'x' };
        char *argv[1] = { letters };
        printf("%s\n", argv[0]);
    }
    return 0;
}
