#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(8);
    if (!text)
        return 0;
    strcpy(text, "abc");
    unsigned long length = strlen(text);
    free(text);
    return length > 7;
}
