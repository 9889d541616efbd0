#include <pwd.h>
struct passwd *getpwuid(uid_t user)
{
    struct passwd *entry = __unreach_user(1);
    if (entry) {
        entry->pw_uid = user;
    }
    return entry;
}
