static __thread struct __unreach_cleanup *__unreach_cleanups;
void __unreach_cleanup_push(struct __unreach_cleanup *cleanup)
{
    cleanup->next = __unreach_cleanups;
    __unreach_cleanups = cleanup;
}
void __unreach_cleanup_pop(struct __unreach_cleanup *cleanup)
{
    __unreach_cleanups = cleanup->next;
}
void __unreach_clean_up(void)
{
    while (__unreach_cleanups) {
        struct __unreach_cleanup *cleanup = __unreach_cleanups;
        __unreach_cleanups = cleanup->next;
        cleanup->function(cleanup->argument);
    }
}
