double __unreach_va_floating(struct __unreach_va *list, int kind)
{
    struct __unreach_more *from = list->from;
    int at = list->next;
    list->next = at + 1;
    if (from == 0 || at >= from->count || from->kinds[at] != kind)
        __unknown_argument();
    return from->floats[at];
}
