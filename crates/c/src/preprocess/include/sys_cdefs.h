#ifndef __UNREACH_SYS_CDEFS_H
#define __UNREACH_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __nonnull(params)
#define __wur
#endif
