extern int __nondet_int(void);
char *getenv(const char *name)
{
    char first = name[0];
    if (__nondet_int()) {
        return (char *)0;
    }
    return __unreach_any_text();
}
