#include <pwd.h>
extern int __nondet_int(void);
static struct passwd *__unreach_user(int function)
{
    static struct passwd entries[2];
    static int known;
    static int shared;
    struct passwd *entry;
    if (__nondet_int()) {
        __unreach_errno();
        return (struct passwd *)0;
    }
    if (!known) {
        known = 1;
        shared = __nondet_int() != 0;
    }
    entry = &entries[shared ? 0 : function];
    entry->pw_name = __unreach_any_text();
    entry->pw_passwd = __unreach_any_text();
    entry->pw_uid = (uid_t)__nondet_int();
    entry->pw_gid = (gid_t)__nondet_int();
    entry->pw_gecos = __unreach_any_text();
    entry->pw_dir = __unreach_any_text();
    entry->pw_shell = __unreach_any_text();
    return entry;
}
