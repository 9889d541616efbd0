#include <time.h>
char *ctime(const time_t *time)
{
    static char text[26];
    return ctime_r(time, text);
}
