// property: assert
// verdict: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char word[] = "four";
    int length = printf("<%6s> %d\n", word, 12);
    assert(length == 12);
    return 0;
}
