void __unreach_put_start(struct __unreach_text *out, char *text, __SIZE_TYPE__ size)
{
    out->text = text;
    out->size = size;
    out->length = 0;
}
