#ifndef __UNREACH_SYS_IOCTL_H
#define __UNREACH_SYS_IOCTL_H
extern int ioctl(int, unsigned long, ...);
#endif
