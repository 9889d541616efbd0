#ifndef __UNREACH_STDDEF_H
#define __UNREACH_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#ifdef __LP64__
typedef struct { long long __whole __attribute__((aligned(8))); long double __floating __attribute__((aligned(16))); } max_align_t;
#else
typedef struct { long long __whole __attribute__((aligned(8))); long double __floating; char __wide[16] __attribute__((aligned(16))); } max_align_t;
#endif
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
