extern int __nondet_int(void);
extern int __unknown_int(void);
char *getenv(const char *name)
{
    static int asked;
    char first = name[0];
    int missing = asked ? __unknown_int() : __nondet_int();
    asked = 1;
    if (missing) {
        return (char *)0;
    }
    return __unreach_any_text();
}
