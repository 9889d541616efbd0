//// puts
/* What goes to the standard output arrives there. */
int puts(const char *text)
{
    int result = __unreach_printed();
    __unreach_ends(text);
    __builtin_assume(result >= 0);
    return result;
}

//// fputs
int fputs(const char *text, void *stream)
{
    __unreach_ends(text);
    return __unreach_printed();
}

//// fwrite
extern __SIZE_TYPE__ __nondet_size_t(void);
__SIZE_TYPE__ fwrite(const void *from, __SIZE_TYPE__ size, __SIZE_TYPE__ count, void *stream)
{
    __SIZE_TYPE__ written = __nondet_size_t();
    __unreach_errno();
    if (size == 0 || count == 0) {
        return 0;
    }
    __unreach_look(from, size * count);
    __builtin_assume(written <= count);
    return written;
}

//// fflush
int fflush(void *stream)
{
    return __unreach_done();
}

//// fseek
int fseek(void *stream, long to, int whence)
{
    return __unreach_done();
}

//// fseeko
int fseeko(void *stream, long to, int whence)
{
    return __unreach_done();
}

//// rewind
void rewind(void *stream)
{
    __unreach_errno();
}

//// ftello
extern long __nondet_long(void);
long ftello(void *stream)
{
    long at = __nondet_long();
    __builtin_assume(at >= -1);
    if (at == -1) {
        __unreach_error();
    }
    return at;
}

//// fgetpos
#include <stdio.h>
extern fpos_t __nondet_place(void);
int fgetpos(FILE *stream, fpos_t *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_place();
    return 0;
}

//// fsetpos
#include <stdio.h>
int fsetpos(FILE *stream, const fpos_t *to)
{
    __unreach_look(to, sizeof(fpos_t));
    return __unreach_done();
}

//// ferror
extern int __nondet_int(void);
int ferror(void *stream)
{
    return __nondet_int();
}

//// clearerr
void clearerr(void *stream)
{
}

//// fileno
int fileno(void *stream)
{
    return __unreach_number();
}

//// ungetc
extern int __nondet_int(void);
int ungetc(int character, void *stream)
{
    if (character == -1 || __nondet_int()) {
        return -1;
    }
    return (unsigned char)character;
}

//// perror
void perror(const char *text)
{
    if (text) {
        __unreach_ends(text);
    }
    __unreach_errno();
}

//// setbuf
/* What is later written into a buffer is left open. */
extern void __unknown_argument(void);
void setbuf(void *stream, char *buffer)
{
    if (buffer) {
        __unknown_argument();
    }
}

//// setvbuf
extern void __unknown_argument(void);
extern int __nondet_int(void);
int setvbuf(void *stream, char *buffer, int mode, __SIZE_TYPE__ size)
{
    if (buffer) {
        __unknown_argument();
    }
    return __nondet_int() ? -1 : 0;
}

//// setlinebuf
void setlinebuf(void *stream)
{
}

//// getline
#include <stdio.h>
long getline(char **line, __SIZE_TYPE__ *size, FILE *stream)
{
    return getdelim(line, size, 10, stream);
}

//// getdelim
extern __SIZE_TYPE__ __nondet_size_t(void);
extern char __nondet_char(void);
extern int __nondet_int(void);
long getdelim(char **line, __SIZE_TYPE__ *size, int last, void *stream)
{
    __SIZE_TYPE__ length = __nondet_size_t();
    __SIZE_TYPE__ index;
    char *text = *line;
    __builtin_assume(length < __LONG_MAX__);
    if (text == (char *)0 || *size <= length) {
        __SIZE_TYPE__ larger = __nondet_size_t();
        __builtin_assume(larger > length);
        text = __builtin_realloc(text, larger);
        if (text == (char *)0) {
            __unreach_error();
            return -1;
        }
        *line = text;
        *size = larger;
    }
    if (length == 0) {
        __unreach_errno();
        return -1;
    }
    for (index = 0; index < length; index++) {
        text[index] = __nondet_char();
        __builtin_assume(index + 1 == length || text[index] != (char)last);
    }
    text[length] = 0;
    return (long)length;
}

//// fgetc_unlocked
extern int __nondet_int(void);
int fgetc_unlocked(void *stream)
{
    int character = __nondet_int();
    __builtin_assume(character >= -1 && character <= 255);
    return character;
}

//// getc_unlocked
extern int __nondet_int(void);
int getc_unlocked(void *stream)
{
    int character = __nondet_int();
    __builtin_assume(character >= -1 && character <= 255);
    return character;
}

//// getchar_unlocked
extern int __nondet_int(void);
int getchar_unlocked(void)
{
    int character = __nondet_int();
    __builtin_assume(character >= -1 && character <= 255);
    return character;
}

//// __unreach_put_byte
extern int __nondet_int(void);
static int __unreach_put_byte(int character)
{
    if (__nondet_int()) {
        __unreach_error();
        return -1;
    }
    return (unsigned char)character;
}

//// putc_unlocked
int putc_unlocked(int character, void *stream)
{
    return __unreach_put_byte(character);
}

//// fputc_unlocked
int fputc_unlocked(int character, void *stream)
{
    return __unreach_put_byte(character);
}

//// putchar_unlocked
int putchar_unlocked(int character)
{
    return __unreach_put_byte(character);
}

//// fputs_unlocked
int fputs_unlocked(const char *text, void *stream)
{
    __unreach_ends(text);
    return __unreach_printed();
}

//// fflush_unlocked
int fflush_unlocked(void *stream)
{
    return __unreach_done();
}

//// feof_unlocked
extern int __nondet_int(void);
int feof_unlocked(void *stream)
{
    return __nondet_int();
}

//// ferror_unlocked
extern int __nondet_int(void);
int ferror_unlocked(void *stream)
{
    return __nondet_int();
}

//// flockfile
void flockfile(void *stream)
{
}

//// funlockfile
void funlockfile(void *stream)
{
}

//// getw
extern int __nondet_int(void);
int getw(void *stream)
{
    return __nondet_int();
}

//// tmpnam
extern int __nondet_int(void);
extern char __nondet_char(void);
char *tmpnam(char *to)
{
    static char name[20];
    __SIZE_TYPE__ length = 19;
    if (__nondet_int()) {
        return (char *)0;
    }
    if (to == (char *)0) {
        to = name;
    }
    __unreach_fill_text(to, length);
    return to;
}

//// getwchar
extern unsigned int __nondet_unsigned(void);
unsigned int getwchar(void)
{
    return __nondet_unsigned();
}

//// fgetwc
extern unsigned int __nondet_unsigned(void);
unsigned int fgetwc(void *stream)
{
    return __nondet_unsigned();
}

//// getwc
extern unsigned int __nondet_unsigned(void);
unsigned int getwc(void *stream)
{
    return __nondet_unsigned();
}

//// putwchar
extern int __nondet_int(void);
unsigned int putwchar(__WCHAR_TYPE__ wide)
{
    return __nondet_int() ? 0xffffffffu : (unsigned int)wide;
}

//// fputwc
extern int __nondet_int(void);
unsigned int fputwc(__WCHAR_TYPE__ wide, void *stream)
{
    return __nondet_int() ? 0xffffffffu : (unsigned int)wide;
}

//// putwc
extern int __nondet_int(void);
unsigned int putwc(__WCHAR_TYPE__ wide, void *stream)
{
    return __nondet_int() ? 0xffffffffu : (unsigned int)wide;
}

//// fputws
int fputws(const __WCHAR_TYPE__ *text, void *stream)
{
    __SIZE_TYPE__ index = 0;
    if (__unreach_checks_memory()) {
        while (text[index] != 0) {
            index++;
        }
    }
    return __unreach_printed();
}

//// fgetws
extern int __nondet_int(void);
extern __WCHAR_TYPE__ __nondet_wide(void);
__WCHAR_TYPE__ *fgetws(__WCHAR_TYPE__ *text, int size, void *stream)
{
    int length = __nondet_int();
    int index;
    if (size <= 0 || length < 0 || (length >= size && size > 1)) {
        return (__WCHAR_TYPE__ *)0;
    }
    for (index = 0; index < length && index < size - 1; index++) {
        text[index] = __nondet_wide();
        if (text[index] == 10) {
            index++;
            break;
        }
    }
    text[index] = 0;
    return text;
}
