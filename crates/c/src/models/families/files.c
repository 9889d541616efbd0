//// close
extern int __nondet_int(void);
int close(int file)
{
    return __unreach_done();
}

//// lseek
/* Where files end, and where their places are, is not followed. No pipe has places. */
extern int __nondet_int(void);
extern long __unknown_long(void);
long lseek(int file, long to, int whence)
{
    long at = to;
    if (__nondet_int()) {
        __unreach_error();
        return -1;
    }
#ifndef __UNREACH_PIPES
    if (whence == 0 && to >= 0) {
        return at;
    }
#endif
    at = __unknown_long();
    __builtin_assume(at >= 0);
    return at;
}

//// dup
int dup(int file)
{
    return __unreach_number();
}

//// dup2
int dup2(int file, int other)
{
    if (__unreach_done() == -1 || other < 0 || file < 0) {
        __unreach_error();
        return -1;
    }
    return other;
}

//// dup3
int dup3(int file, int other, int flags)
{
    if (__unreach_done() == -1 || other < 0 || file < 0 || file == other) {
        __unreach_error();
        return -1;
    }
    return other;
}

//// pipe
extern int __nondet_int(void);
int pipe(int *files)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    files[0] = __nondet_int();
    files[1] = __nondet_int();
    __builtin_assume(files[0] >= 0 && files[1] >= 0 && files[0] != files[1]);
    return 0;
}

//// pipe2
#include <unistd.h>
int pipe2(int *files, int flags)
{
    return pipe(files);
}

//// write
long write(int file, const void *from, __SIZE_TYPE__ size)
{
    __unreach_look(from, size);
    return __unreach_length(size);
}

//// pread
extern unsigned char __nondet_uchar(void);
long pread(int file, void *to, __SIZE_TYPE__ size, long at)
{
    long length = __unreach_length(size);
    if (length > 0) {
        __unreach_fill(to, (__SIZE_TYPE__)length);
    }
    return length;
}

//// pwrite
long pwrite(int file, const void *from, __SIZE_TYPE__ size, long at)
{
    __unreach_look(from, size);
    return __unreach_length(size);
}

//// ftruncate
int ftruncate(int file, long length)
{
    return __unreach_done();
}

//// truncate
int truncate(const char *path, long length)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// access
int access(const char *path, int mode)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// unlink
int unlink(const char *path)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// remove
int remove(const char *path)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// rename
int rename(const char *path, const char *other)
{
    __unreach_ends(path);
    __unreach_ends(other);
    return __unreach_done();
}

//// rmdir
int rmdir(const char *path)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// chdir
int chdir(const char *path)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// fchdir
int fchdir(int file)
{
    return __unreach_done();
}

//// mkdir
int mkdir(const char *path, unsigned int mode)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// mkfifo
int mkfifo(const char *path, unsigned int mode)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// chmod
int chmod(const char *path, unsigned int mode)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// fchmod
int fchmod(int file, unsigned int mode)
{
    return __unreach_done();
}

//// chown
int chown(const char *path, unsigned int user, unsigned int group)
{
    __unreach_ends(path);
    return __unreach_done();
}

//// fchown
int fchown(int file, unsigned int user, unsigned int group)
{
    return __unreach_done();
}

//// link
int link(const char *path, const char *other)
{
    __unreach_ends(path);
    __unreach_ends(other);
    return __unreach_done();
}

//// symlink
int symlink(const char *path, const char *other)
{
    __unreach_ends(path);
    __unreach_ends(other);
    return __unreach_done();
}

//// readlink
extern char __nondet_char(void);
long readlink(const char *path, char *to, __SIZE_TYPE__ size)
{
    long length = __unreach_length(size);
    __unreach_ends(path);
    if (length > 0) {
        __unreach_fill(to, (__SIZE_TYPE__)length);
    }
    return length;
}

//// umask
extern unsigned int __nondet_unsigned(void);
unsigned int umask(unsigned int mask)
{
    unsigned int before = __nondet_unsigned();
    __builtin_assume(before <= 0777);
    return before;
}

//// fsync
int fsync(int file)
{
    return __unreach_done();
}

//// fdatasync
int fdatasync(int file)
{
    return __unreach_done();
}

//// sync
void sync(void)
{
}

//// flock
int flock(int file, int operation)
{
    return __unreach_done();
}

//// posix_fallocate
extern int __nondet_int(void);
int posix_fallocate(int file, long from, long length)
{
    int result = __nondet_int();
    __builtin_assume(result >= 0);
    return result;
}

//// fallocate
int fallocate(int file, int mode, long from, long length)
{
    return __unreach_done();
}

//// stat
#include <sys/stat.h>
extern struct stat __nondet_struct_stat(void);
int stat(const char *path, struct stat *to)
{
    __unreach_ends(path);
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_struct_stat();
    __builtin_assume(to->st_size >= 0);
    return 0;
}

//// lstat
#include <sys/stat.h>
extern struct stat __nondet_struct_stat(void);
int lstat(const char *path, struct stat *to)
{
    __unreach_ends(path);
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_struct_stat();
    __builtin_assume(to->st_size >= 0);
    return 0;
}

//// fstat
#include <sys/stat.h>
extern struct stat __nondet_struct_stat(void);
int fstat(int file, struct stat *to)
{
    if (__unreach_done() == -1) {
        return -1;
    }
    *to = __nondet_struct_stat();
    __builtin_assume(to->st_size >= 0);
    return 0;
}

//// getcwd
extern int __nondet_int(void);
extern __SIZE_TYPE__ __nondet_size_t(void);
extern char __nondet_char(void);
char *getcwd(char *to, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ length = __nondet_size_t();
    if (__unreach_done() == -1) {
        return (char *)0;
    }
    __builtin_assume(length > 0 && length < 4096);
    if (to == (char *)0 && size == 0) {
        size = length + 1;
    }
    if (length >= size) {
        __unreach_error();
        return (char *)0;
    }
    if (to == (char *)0) {
        to = __builtin_malloc(size);
        if (to == (char *)0) {
            return to;
        }
    }
    __unreach_fill_text(to, length);
    return to;
}

//// realpath
extern __SIZE_TYPE__ __nondet_size_t(void);
char *realpath(const char *path, char *to)
{
    __SIZE_TYPE__ length = __nondet_size_t();
    if (path == (char *)0 || __unreach_done() == -1) {
        __unreach_error();
        return (char *)0;
    }
    __unreach_ends(path);
    __builtin_assume(length > 0 && length < 4096);
    if (to == (char *)0) {
        to = __builtin_malloc(length + 1);
        if (to == (char *)0) {
            return to;
        }
    }
    __unreach_fill_text(to, length);
    return to;
}

//// __unreach_made_name
extern char __nondet_char(void);
static void __unreach_made_name(char *pattern, __SIZE_TYPE__ behind)
{
    __SIZE_TYPE__ length = 0;
    __SIZE_TYPE__ index;
    while (pattern[length] != 0) {
        length++;
    }
    if (length < behind + 6) {
        return;
    }
    for (index = length - behind - 6; index < length - behind; index++) {
        pattern[index] = __nondet_char();
        __builtin_assume(pattern[index] != 0 && pattern[index] != '/');
    }
}

//// mkstemp
int mkstemp(char *pattern)
{
    __unreach_made_name(pattern, 0);
    return __unreach_number();
}

//// mkstemps
int mkstemps(char *pattern, int behind)
{
    __unreach_made_name(pattern, (__SIZE_TYPE__)behind);
    return __unreach_number();
}

//// mkdtemp
char *mkdtemp(char *pattern)
{
    __unreach_made_name(pattern, 0);
    return __unreach_done() == -1 ? (char *)0 : pattern;
}

//// readv
#include <sys/uio.h>
long readv(int file, const struct iovec *parts, int count)
{
    __SIZE_TYPE__ most = 0;
    __SIZE_TYPE__ left;
    long length;
    int index;
    for (index = 0; index < count; index++) {
        most += parts[index].iov_len;
    }
    length = __unreach_length(most);
    left = length > 0 ? (__SIZE_TYPE__)length : 0;
    for (index = 0; index < count && left > 0; index++) {
        __SIZE_TYPE__ size = parts[index].iov_len < left ? parts[index].iov_len : left;
        __unreach_fill(parts[index].iov_base, size);
        left -= size;
    }
    return length;
}

//// writev
#include <sys/uio.h>
long writev(int file, const struct iovec *parts, int count)
{
    __SIZE_TYPE__ most = 0;
    int index;
    for (index = 0; index < count; index++) {
        __unreach_look(parts[index].iov_base, parts[index].iov_len);
        most += parts[index].iov_len;
    }
    return __unreach_length(most);
}

//// poll
#include <poll.h>
extern short __nondet_short(void);
extern int __nondet_int(void);
int poll(struct pollfd *files, nfds_t count, int timeout)
{
    nfds_t index;
    int ready = 0;
    if (__unreach_done() == -1) {
        return -1;
    }
    for (index = 0; index < count; index++) {
        files[index].revents = files[index].fd < 0 ? 0 : __nondet_short();
        ready += files[index].revents != 0;
    }
    return ready;
}

//// isatty
extern int __nondet_int(void);
int isatty(int file)
{
    if (__nondet_int()) {
        return 1;
    }
    __unreach_error();
    return 0;
}
