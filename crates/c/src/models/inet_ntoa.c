#include <arpa/inet.h>
extern char __unknown_character(void);
extern int __unknown_int(void);
char *inet_ntoa(struct in_addr address)
{
    static char text[16];
    int length = __unknown_int();
    int index;
    __builtin_assume(length >= 7 && length <= 15);
    for (index = 0; index < length; index++) {
        text[index] = __unknown_character();
        __builtin_assume(text[index] != 0);
    }
    text[length] = 0;
    return text;
}
