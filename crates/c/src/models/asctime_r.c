#include <time.h>
extern char __unknown_character(void);
char *asctime_r(const struct tm *date, char *text)
{
    int index;
    int year = date->tm_year;
    for (index = 0; index < 24; index++) {
        text[index] = __unknown_character();
        __builtin_assume(text[index] != 0);
    }
    text[24] = 10;
    text[25] = 0;
    return text;
}
