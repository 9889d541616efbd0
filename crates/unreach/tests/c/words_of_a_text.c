// property: unreach-call
// verdict: safe
// Who declares only what is called gets what the library needs besides.
extern char *strtok(char *text, const char *separators);
extern int strcmp(const char *left, const char *right);
extern void reach_error(void);

int main(void) {
    char text[] = "a-b";
    char *first = strtok(text, "-");
    char *second = strtok(0, "-");
    if (strcmp(first, "a") != 0 || strcmp(second, "b") != 0) reach_error();
    return 0;
}
