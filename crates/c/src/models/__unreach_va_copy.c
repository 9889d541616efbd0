void __unreach_va_copy(struct __unreach_va *to, struct __unreach_va *from)
{
    to->from = from->from;
    to->next = from->next;
}
