#include <pwd.h>
extern int __nondet_int(void);
struct passwd *getpwnam(const char *name)
{
    static struct passwd entry;
    char first = name[0];
    if (__nondet_int()) {
        return (struct passwd *)0;
    }
    entry.pw_name = __unreach_any_text();
    entry.pw_passwd = __unreach_any_text();
    entry.pw_uid = (uid_t)__nondet_int();
    entry.pw_gid = (gid_t)__nondet_int();
    entry.pw_gecos = __unreach_any_text();
    entry.pw_dir = __unreach_any_text();
    entry.pw_shell = __unreach_any_text();
    return &entry;
}
