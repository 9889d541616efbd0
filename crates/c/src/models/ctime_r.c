#include <time.h>
extern char __unknown_character(void);
char *ctime_r(const time_t *time, char *text)
{
    int index;
    time_t seconds = *time;
    for (index = 0; index < 24; index++) {
        text[index] = __unknown_character();
        __builtin_assume(text[index] != 0);
    }
    text[24] = 10;
    text[25] = 0;
    return text;
}
