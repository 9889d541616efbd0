#include <pwd.h>
struct passwd *getpwnam(const char *name)
{
    struct passwd *entry = __unreach_user(0);
    __SIZE_TYPE__ length = strlen(name);
    __SIZE_TYPE__ index;
    if (entry) {
        char *copy = __unreach_permanent(length + 1);
        for (index = 0; index <= length; index++) {
            copy[index] = name[index];
        }
        entry->pw_name = copy;
    }
    return entry;
}
