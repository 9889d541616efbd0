#ifndef __UNREACH_WCHAR_H
#define __UNREACH_WCHAR_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
typedef unsigned int wint_t;
typedef struct { int __count; unsigned int __value; } mbstate_t;
#define WEOF (0xffffffffu)
#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
#endif
extern size_t wcslen(const wchar_t *);
extern wchar_t *wcscpy(wchar_t *, const wchar_t *);
extern wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wcscat(wchar_t *, const wchar_t *);
extern int wcscmp(const wchar_t *, const wchar_t *);
extern int wcsncmp(const wchar_t *, const wchar_t *, size_t);
extern wchar_t *wcschr(const wchar_t *, wchar_t);
extern wchar_t *wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *wcsstr(const wchar_t *, const wchar_t *);
extern wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmemset(wchar_t *, wchar_t, size_t);
extern int wmemcmp(const wchar_t *, const wchar_t *, size_t);
extern long wcstol(const wchar_t *, wchar_t **, int);
extern int wprintf(const wchar_t *, ...);
extern int swprintf(wchar_t *, size_t, const wchar_t *, ...);
extern wint_t btowc(int);
extern int wctob(wint_t);
extern int mbsinit(const mbstate_t *);
extern size_t mbrlen(const char *, size_t, mbstate_t *);
extern size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
extern size_t wcrtomb(char *, wchar_t, mbstate_t *);
extern size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
extern size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
extern wchar_t *wcpcpy(wchar_t *, const wchar_t *);
extern wchar_t *wcpncpy(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wcschrnul(const wchar_t *, wchar_t);
extern int wcscoll(const wchar_t *, const wchar_t *);
extern int wcscasecmp(const wchar_t *, const wchar_t *);
extern int wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
extern size_t wcsspn(const wchar_t *, const wchar_t *);
extern size_t wcscspn(const wchar_t *, const wchar_t *);
extern wchar_t *wcspbrk(const wchar_t *, const wchar_t *);
extern wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **);
extern wchar_t *wcsdup(const wchar_t *);
extern size_t wcsnlen(const wchar_t *, size_t);
extern size_t wcsxfrm(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmempcpy(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmemchr(const wchar_t *, wchar_t, size_t);
extern unsigned long wcstoul(const wchar_t *, wchar_t **, int);
extern long long wcstoll(const wchar_t *, wchar_t **, int);
extern unsigned long long wcstoull(const wchar_t *, wchar_t **, int);
extern double wcstod(const wchar_t *, wchar_t **);
extern int wcwidth(wchar_t);
extern wint_t getwchar(void);
extern wint_t getwc(FILE *);
extern wint_t fgetwc(FILE *);
extern wint_t putwchar(wchar_t);
extern wint_t putwc(wchar_t, FILE *);
extern wint_t fputwc(wchar_t, FILE *);
extern wchar_t *fgetws(wchar_t *, int, FILE *);
extern int fputws(const wchar_t *, FILE *);
#endif
