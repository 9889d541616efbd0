/* Strings: literals, copies, the library's functions, character classes. */
#include <string.h>
#include <ctype.h>
long long result;
int main(void) {
    char buffer[32], *found;
    const char *text = "hello, world";
    strcpy(buffer, text); strcat(buffer, "!!"); buffer[0] = toupper(buffer[0]);
    for (unsigned i = 0; buffer[i]; i++) result = result * 3 + buffer[i] + (isalpha(buffer[i]) ? 1 : 0);
    result += strlen(buffer) * 1000 + (strcmp("abc", "abd") < 0) + (strncmp("abX", "abY", 2) == 0) * 5;
    found = strchr(buffer, 'w');
    result = result * 7 + (found - buffer) + (strstr(text, "wor") - text) + (strchr(text, 'z') == 0);
    char fixed[] = "x\0y"; result = result * 7 + sizeof fixed + strlen(fixed);
    return 0;
}
