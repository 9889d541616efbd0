#ifndef __UNREACH_SIGNAL_H
#define __UNREACH_SIGNAL_H
#include <sys/types.h>
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef struct { unsigned long __val[1024 / (8 * sizeof(long))]; } sigset_t;
typedef struct { int si_signo; int si_errno; int si_code; pid_t si_pid; uid_t si_uid; void *si_addr; int si_status; } siginfo_t;
struct sigaction { union { __sighandler_t sa_handler; void (*sa_sigaction)(int, siginfo_t *, void *); } __handler; sigset_t sa_mask; int sa_flags; };
#define sa_handler __handler.sa_handler
#define sa_sigaction __handler.sa_sigaction
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_RESTART 0x10000000
#define SA_SIGINFO 4
extern __sighandler_t signal(int, __sighandler_t);
extern int raise(int);
extern int kill(pid_t, int);
extern int sigaction(int, const struct sigaction *, struct sigaction *);
extern int sigemptyset(sigset_t *);
extern int sigfillset(sigset_t *);
extern int sigaddset(sigset_t *, int);
extern int sigdelset(sigset_t *, int);
extern int sigismember(const sigset_t *, int);
extern int sigprocmask(int, const sigset_t *, sigset_t *);
extern int pthread_sigmask(int, const sigset_t *, sigset_t *);
extern int sigwait(const sigset_t *, int *);
extern int sigsuspend(const sigset_t *);
#endif
