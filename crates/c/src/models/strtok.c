#include <string.h>
static char *__unreach_strtok_rest;
char *strtok(char *text, const char *separators)
{
    return strtok_r(text, separators, &__unreach_strtok_rest);
}
