// property: assert
// verdict: unknown
// The functions of dates may use one object, as those of the GNU library do: what the first has given is overwritten.
#include <assert.h>
#include <time.h>

int main(void) {
    time_t early = 0, late = 900000000;
    struct tm *first = gmtime(&early);
    if (!first) return 0;
    int year = first->tm_year;
    localtime(&late);
    assert(first->tm_year == year);
    return 0;
}
