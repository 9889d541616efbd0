int __unreach_put_new_end(struct __unreach_text *out, char **place)
{
    if (out->text == (char *)0) {
        return -1;
    }
    __builtin_assume(out->length + 1 == out->size);
    out->text[out->length] = 0;
    *place = out->text;
    return (int)out->length;
}
