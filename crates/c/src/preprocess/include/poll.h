#ifndef __UNREACH_POLL_H
#define __UNREACH_POLL_H
struct pollfd { int fd; short events; short revents; };
#define POLLIN 1
#define POLLOUT 4
extern int poll(struct pollfd *, unsigned long, int);
#endif
