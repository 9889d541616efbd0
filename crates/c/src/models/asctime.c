#include <time.h>
char *asctime(const struct tm *date)
{
    static char text[26];
    return asctime_r(date, text);
}
