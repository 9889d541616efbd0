//// wait
extern int __nondet_int(void);
int wait(int *status)
{
    int process = __unreach_number();
    __builtin_assume(process != 0);
    if (process > 0 && status) {
        *status = __nondet_int();
    }
    return process;
}

//// waitpid
extern int __nondet_int(void);
int waitpid(int wanted, int *status, int options)
{
    int process = __unreach_number();
    __builtin_assume((process != 0 || (options & 1)) && (wanted <= 0 || process <= 0 || process == wanted));
    if (process > 0 && status) {
        *status = __nondet_int();
    }
    return process;
}

//// kill
/* A signal may end the program itself. */
extern int __unknown_int(void);
int kill(int process, int number)
{
    if (number != 0 && __unknown_int()) {
        __builtin__exit(0);
    }
    return __unreach_done();
}

//// __unreach_execute
extern int __nondet_int(void);
static int __unreach_execute(const char *path)
{
    __unreach_ends(path);
    if (__nondet_int()) {
        __builtin__exit(0);
    }
    __unreach_error();
    return -1;
}

//// execv
int execv(const char *path, char *const *arguments)
{
    return __unreach_execute(path);
}

//// execvp
int execvp(const char *path, char *const *arguments)
{
    return __unreach_execute(path);
}

//// execve
int execve(const char *path, char *const *arguments, char *const *environment)
{
    return __unreach_execute(path);
}

//// setsid
int setsid(void)
{
    return __unreach_number();
}

//// setuid
int setuid(unsigned int user)
{
    return __unreach_done();
}

//// setgid
int setgid(unsigned int group)
{
    return __unreach_done();
}

//// seteuid
int seteuid(unsigned int user)
{
    return __unreach_done();
}

//// setegid
int setegid(unsigned int group)
{
    return __unreach_done();
}

//// getpgrp
extern int __nondet_int(void);
int getpgrp(void)
{
    int group = __nondet_int();
    __builtin_assume(group > 0);
    return group;
}

//// setpgid
int setpgid(int process, int group)
{
    return __unreach_done();
}

//// nice
extern int __nondet_int(void);
int nice(int step)
{
    __unreach_errno();
    return __nondet_int();
}

//// gethostname
extern __SIZE_TYPE__ __nondet_size_t(void);
extern char __nondet_char(void);
int gethostname(char *to, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ length = __nondet_size_t();
    __SIZE_TYPE__ index;
    if (__unreach_done() == -1) {
        return -1;
    }
    __builtin_assume(length <= 64);
    if (length < size) {
        __unreach_fill_text(to, length);
        return 0;
    }
    /* Whether that is a failure is left to systems. */
    for (index = 0; index < size; index++) {
        to[index] = __nondet_char();
    }
    return __unreach_done();
}

//// getlogin
extern int __nondet_int(void);
char *getlogin(void)
{
    if (__nondet_int()) {
        __unreach_error();
        return (char *)0;
    }
    return __unreach_any_text();
}

//// ttyname
extern int __nondet_int(void);
char *ttyname(int file)
{
    if (__nondet_int()) {
        __unreach_error();
        return (char *)0;
    }
    return __unreach_any_text();
}

//// setenv
/* Later questions for the environment are left open. */
extern void __unknown_argument(void);
int setenv(const char *name, const char *value, int replaces)
{
    __unknown_argument();
    return 0;
}

//// unsetenv
extern void __unknown_argument(void);
int unsetenv(const char *name)
{
    __unknown_argument();
    return 0;
}

//// putenv
extern void __unknown_argument(void);
int putenv(char *text)
{
    __unknown_argument();
    return 0;
}

//// secure_getenv
#include <stdlib.h>
extern int __nondet_int(void);
char *secure_getenv(const char *name)
{
    return __nondet_int() ? (char *)0 : getenv(name);
}

//// uname
#include <sys/utsname.h>
extern struct utsname __nondet_struct_utsname(void);
int uname(struct utsname *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_struct_utsname();
    to->sysname[sizeof to->sysname - 1] = 0;
    to->nodename[sizeof to->nodename - 1] = 0;
    to->release[sizeof to->release - 1] = 0;
    to->version[sizeof to->version - 1] = 0;
    to->machine[sizeof to->machine - 1] = 0;
    return 0;
}

//// getrlimit
#include <sys/resource.h>
extern unsigned long __nondet_unsigned_long(void);
int getrlimit(int kind, struct rlimit *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    to->rlim_cur = __nondet_unsigned_long();
    to->rlim_max = __nondet_unsigned_long();
    __builtin_assume(to->rlim_cur <= to->rlim_max);
    return 0;
}

//// setrlimit
#include <sys/resource.h>
int setrlimit(int kind, const struct rlimit *to)
{
    __unreach_look(to, sizeof(struct rlimit));
    return __unreach_done();
}

//// getrusage
#include <sys/resource.h>
extern struct rusage __nondet_struct_rusage(void);
int getrusage(int who, struct rusage *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_struct_rusage();
    __builtin_assume(to->ru_utime.tv_sec >= 0 && to->ru_utime.tv_usec >= 0 && to->ru_utime.tv_usec < 1000000);
    __builtin_assume(to->ru_stime.tv_sec >= 0 && to->ru_stime.tv_usec >= 0 && to->ru_stime.tv_usec < 1000000);
    return 0;
}

//// getpriority
extern int __nondet_int(void);
int getpriority(int which, unsigned int who)
{
    __unreach_errno();
    return __nondet_int();
}

//// setpriority
int setpriority(int which, unsigned int who, int priority)
{
    return __unreach_done();
}

//// getloadavg
extern double __nondet_double(void);
extern int __nondet_int(void);
int getloadavg(double *to, int count)
{
    int found = __nondet_int();
    int index;
    __builtin_assume(found >= -1 && found <= count);
    for (index = 0; index < found; index++) {
        to[index] = __nondet_double();
        __builtin_assume(to[index] >= 0);
    }
    return found;
}

//// setlocale
/* What the library does in another locale than that of the start is left open. */
extern void __unknown_argument(void);
char *setlocale(int category, const char *locale)
{
    if (locale != (char *)0 && !(locale[0] == 'C' && locale[1] == 0)) {
        __unknown_argument();
    }
    return (char *)"C";
}

//// pause
extern void __unknown_argument(void);
int pause(void)
{
    __unknown_argument();
    return -1;
}

//// openlog
void openlog(const char *name, int options, int facility)
{
}

//// closelog
void closelog(void)
{
}
