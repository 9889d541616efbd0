static void (*__unreach_registered[256])(void);
static int __unreach_registrations;
int atexit(void (*function)(void))
{
    if (__unreach_registrations == 256) {
        return 1;
    }
    __unreach_registered[__unreach_registrations] = function;
    __unreach_registrations++;
    return 0;
}
__attribute__((destructor(100000))) static void __unreach_run_registered(void)
{
    while (__unreach_registrations > 0) {
        __unreach_registrations--;
        __unreach_registered[__unreach_registrations]();
    }
}
