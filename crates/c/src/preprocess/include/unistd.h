#ifndef __UNREACH_UNISTD_H
#define __UNREACH_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define _SC_OPEN_MAX 4
extern char *optarg;
extern int optind, opterr, optopt;
extern char **environ;
extern int getopt(int, char *const *, const char *);
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern ssize_t pread(int, void *, size_t, off_t);
extern ssize_t pwrite(int, const void *, size_t, off_t);
extern int close(int);
extern off_t lseek(int, off_t, int);
extern int ftruncate(int, off_t);
extern int truncate(const char *, off_t);
extern int unlink(const char *);
extern int rmdir(const char *);
extern int chdir(const char *);
extern char *getcwd(char *, size_t);
extern int access(const char *, int);
extern int dup(int);
extern int dup2(int, int);
extern int pipe(int *);
extern int isatty(int);
extern pid_t fork(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern unsigned int sleep(unsigned int);
extern int usleep(useconds_t);
extern unsigned int alarm(unsigned int);
extern int pause(void);
extern long sysconf(int);
extern int execv(const char *, char *const *);
extern int execvp(const char *, char *const *);
extern int execl(const char *, const char *, ...);
extern int execlp(const char *, const char *, ...);
extern int gethostname(char *, size_t);
extern int link(const char *, const char *);
extern int symlink(const char *, const char *);
extern ssize_t readlink(const char *, char *, size_t);
extern int fsync(int);
extern void sync(void);
extern void *sbrk(intptr_t);
extern void _exit(int) __attribute__((__noreturn__));
extern int fchown(int, uid_t, gid_t);
extern int getpagesize(void);
extern int fdatasync(int);
extern int dup3(int, int, int);
extern int pipe2(int *, int);
extern int fchdir(int);
extern int chown(const char *, uid_t, gid_t);
extern int execve(const char *, char *const *, char *const *);
extern pid_t setsid(void);
extern pid_t getpgrp(void);
extern int setpgid(pid_t, pid_t);
extern int setuid(uid_t);
extern int setgid(gid_t);
extern int seteuid(uid_t);
extern int setegid(gid_t);
extern int nice(int);
extern char *getlogin(void);
extern char *ttyname(int);
extern void swab(const void *, void *, ssize_t);
extern int getentropy(void *, size_t);
#endif
