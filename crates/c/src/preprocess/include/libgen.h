#ifndef __UNREACH_LIBGEN_H
#define __UNREACH_LIBGEN_H
extern char *dirname(char *);
extern char *basename(char *);
#endif
