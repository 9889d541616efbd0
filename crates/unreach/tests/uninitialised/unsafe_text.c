#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(4);
    if (!text)
        return 0;
    text[0] = 'a';
    text[3] = 0;
    unsigned long length = strlen(text);
    free(text);
    return length > 7;
}
