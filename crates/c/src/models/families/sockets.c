//// socket
int socket(int domain, int kind, int protocol)
{
    return __unreach_number();
}

//// socketpair
extern int __nondet_int(void);
int socketpair(int domain, int kind, int protocol, int *files)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    files[0] = __nondet_int();
    files[1] = __nondet_int();
    __builtin_assume(files[0] >= 0 && files[1] >= 0 && files[0] != files[1]);
    return 0;
}

//// bind
int bind(int file, const void *address, unsigned int length)
{
    __unreach_look(address, length);
    return __unreach_done();
}

//// connect
int connect(int file, const void *address, unsigned int length)
{
    __unreach_look(address, length);
    return __unreach_done();
}

//// listen
int listen(int file, int most)
{
    return __unreach_done();
}

//// shutdown
int shutdown(int file, int how)
{
    return __unreach_done();
}

//// accept
int accept(int file, void *address, unsigned int *length)
{
    int connection = __unreach_number();
    if (connection != -1) {
        __unreach_socket_address(address, length);
    }
    return connection;
}

//// getsockname
int getsockname(int file, void *address, unsigned int *length)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    __unreach_socket_address(address, length);
    return 0;
}

//// getpeername
int getpeername(int file, void *address, unsigned int *length)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    __unreach_socket_address(address, length);
    return 0;
}

//// send
long send(int file, const void *from, __SIZE_TYPE__ size, int flags)
{
    __unreach_look(from, size);
    return __unreach_length(size);
}

//// sendto
long sendto(int file, const void *from, __SIZE_TYPE__ size, int flags, const void *address, unsigned int length)
{
    __unreach_look(from, size);
    if (address) {
        __unreach_look(address, length);
    }
    return __unreach_length(size);
}

//// recv
long recv(int file, void *to, __SIZE_TYPE__ size, int flags)
{
    long length = __unreach_length(size);
    if (length > 0) {
        __unreach_fill(to, (__SIZE_TYPE__)length);
    }
    return length;
}

//// recvfrom
long recvfrom(int file, void *to, __SIZE_TYPE__ size, int flags, void *address, unsigned int *room)
{
    long length = __unreach_length(size);
    if (length > 0) {
        __unreach_fill(to, (__SIZE_TYPE__)length);
    }
    if (length >= 0) {
        __unreach_socket_address(address, room);
    }
    return length;
}

//// setsockopt
int setsockopt(int file, int level, int name, const void *value, unsigned int length)
{
    if (value) {
        __unreach_look(value, length);
    }
    return __unreach_done();
}

//// getsockopt
extern unsigned int __nondet_unsigned(void);
int getsockopt(int file, int level, int name, void *value, unsigned int *length)
{
    unsigned int size = __nondet_unsigned();
    if (__unreach_done() == -1) {
        return -1;
    }
    __builtin_assume(size <= *length);
    __unreach_fill(value, size);
    *length = size;
    return 0;
}

//// inet_addr
extern unsigned int __unknown_unsigned(void);
unsigned int inet_addr(const char *text)
{
    __unreach_ends(text);
    return __unknown_unsigned();
}

//// inet_aton
extern unsigned int __unknown_unsigned(void);
extern int __unknown_int(void);
int inet_aton(const char *text, void *to)
{
    __unreach_ends(text);
    if (__unknown_int()) {
        return 0;
    }
    *(unsigned int *)to = __unknown_unsigned();
    return 1;
}

//// inet_pton
extern unsigned char __unknown_byte(void);
extern int __unknown_int(void);
int inet_pton(int family, const char *text, void *to)
{
    __SIZE_TYPE__ size = family == 2 ? 4 : 16;
    __SIZE_TYPE__ index;
    __unreach_ends(text);
    if (family != 2 && family != 10) {
        __unreach_error();
        return -1;
    }
    if (__unknown_int()) {
        return 0;
    }
    for (index = 0; index < size; index++) {
        ((unsigned char *)to)[index] = __unknown_byte();
    }
    return 1;
}

//// inet_ntop
extern unsigned int __unknown_unsigned(void);
extern char __unknown_character(void);
const char *inet_ntop(int family, const void *from, char *to, unsigned int size)
{
    unsigned int length = __unknown_unsigned();
    unsigned int index;
    __unreach_look(from, family == 2 ? 4 : 16);
    __builtin_assume(family == 2 ? length >= 7 && length <= 15 : length >= 2 && length <= 45);
    if ((family != 2 && family != 10) || length >= size) {
        __unreach_error();
        return (char *)0;
    }
    for (index = 0; index < length; index++) {
        to[index] = __unknown_character();
        __builtin_assume(to[index] != 0);
    }
    to[length] = 0;
    return to;
}
