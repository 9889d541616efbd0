// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: what is typed into the test is nothing
#include <stdio.h>

int main(void)
{
    char word[4];
    scanf("%4s", word);
    return 0;
}
