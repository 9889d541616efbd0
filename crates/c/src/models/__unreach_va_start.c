void __unreach_va_start(struct __unreach_va *list, struct __unreach_more *from)
{
    list->from = from;
    list->next = 0;
}
