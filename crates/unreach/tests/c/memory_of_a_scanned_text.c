// property: valid-memsafety
// verdict: safe
#include <stdio.h>

int main(void)
{
    char word[4], letter;
    int number = 0;
    if (scanf("%d %3s %c", &number, word, &letter) < 2) {
        return 0;
    }
    return word[3] == number;
}
