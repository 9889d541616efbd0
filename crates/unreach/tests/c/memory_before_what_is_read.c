// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// A line that begins with a zero; in the test, `fgets` reads what it reads in the execution that was found.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4];
    if (!fgets(line, sizeof line, stdin)) return 0;
    line[strlen(line) - 1] = 0;
    return 0;
}
