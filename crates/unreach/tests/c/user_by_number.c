// property: assert
// verdict: safe
// The entry is that of the number that was asked for.
#include <assert.h>
#include <pwd.h>

int main(void) {
    struct passwd *entry = getpwuid(7);
    if (entry) assert(entry->pw_uid == 7);
    return 0;
}
