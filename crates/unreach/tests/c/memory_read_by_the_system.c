// property: valid-memsafety
// verdict: safe
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    struct stat about;
    char path[8] = "x", text[4];
    int files[2];
    if (stat(path, &about) == -1 || about.st_size < 0) {
        return 1;
    }
    if (pipe(files) == 0) {
        long length = pread(files[0], text, sizeof text, 0);
        if (length > 0) {
            write(files[1], text, length);
        }
        fputs(path, stdout);
        printf("%s\n", path);
    }
    return 0;
}
