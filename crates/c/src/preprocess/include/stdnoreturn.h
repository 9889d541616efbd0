#ifndef __UNREACH_STDNORETURN_H
#define __UNREACH_STDNORETURN_H
#define noreturn _Noreturn
#endif
