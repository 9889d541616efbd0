void __unreach_put_characters(struct __unreach_text *out, const char *from, int count)
{
    int index;
    for (index = 0; index < count; index++) {
        __unreach_put(out, from[index]);
    }
}
