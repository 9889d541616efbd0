//// __unreach_error
extern int __nondet_int(void);
#ifdef __UNREACH_ERRNO
extern int errno;
static void __unreach_error(void)
{
    int number = __nondet_int();
    __builtin_assume(number > 0);
    errno = number;
}
#else
static void __unreach_error(void)
{
}
#endif

//// __unreach_errno
extern int __nondet_int(void);
static void __unreach_errno(void)
{
#ifdef __UNREACH_ERRNO
    if (__nondet_int()) {
        __unreach_error();
    }
#endif
}

//// __unreach_done
extern int __nondet_int(void);
static int __unreach_done(void)
{
    if (__nondet_int()) {
        __unreach_error();
        return -1;
    }
    return 0;
}

//// __unreach_printed
extern int __nondet_int(void);
static int __unreach_printed(void)
{
    int result = __nondet_int();
    __unreach_errno();
    __builtin_assume(result >= -1);
    return result;
}

//// __unreach_number
extern int __nondet_int(void);
static int __unreach_number(void)
{
    int number = __nondet_int();
    __builtin_assume(number >= -1);
    if (number == -1) {
        __unreach_error();
    }
    return number;
}

//// __unreach_length
extern long __nondet_long(void);
static long __unreach_length(__SIZE_TYPE__ most)
{
    long length = __nondet_long();
    __builtin_assume(length >= -1 && (length < 0 || (__SIZE_TYPE__)length <= most));
    if (length == -1) {
        __unreach_error();
    }
    return length;
}

//// __unreach_fill
extern unsigned char __nondet_uchar(void);
static void __unreach_fill(void *to, __SIZE_TYPE__ size)
{
    unsigned char *bytes = to;
    __SIZE_TYPE__ index;
    for (index = 0; index < size; index++) {
        bytes[index] = __nondet_uchar();
    }
}

//// __unreach_fill_text
extern char __nondet_char(void);
static void __unreach_fill_text(char *to, __SIZE_TYPE__ length)
{
    __SIZE_TYPE__ index;
    for (index = 0; index < length; index++) {
        to[index] = __nondet_char();
        __builtin_assume(to[index] != 0);
    }
    to[length] = 0;
}

//// __unreach_ends
/* A text has to end, if anybody cares. */
void __unreach_ends(const char *text)
{
    __SIZE_TYPE__ index = 0;
    if (__unreach_checks_memory()) {
        while (text[index] != 0) {
            index++;
        }
    }
}

//// __unreach_printed_ends
/* What is printed for no text at all depends on the library. */
void __unreach_printed_ends(const char *text)
{
    if (text != (char *)0) {
        __unreach_ends(text);
    }
}

//// __unreach_known_text
extern __SIZE_TYPE__ __unknown_size(void);
static char *__unreach_known_text(void)
{
    __SIZE_TYPE__ size = __unknown_size();
    char *text;
    __builtin_assume(size > 0 && size <= 1024);
    text = __unreach_permanent(size);
    text[size - 1] = 0;
    return text;
}

//// __unreach_socket_address
extern unsigned char __nondet_uchar(void);
extern unsigned int __nondet_uint(void);
static void __unreach_socket_address(void *to, unsigned int *length)
{
    if (to) {
        unsigned int room = *length;
        unsigned int size = __nondet_uint();
        __builtin_assume(size <= 128);
        __unreach_fill(to, size < room ? size : room);
        *length = size;
    }
}
