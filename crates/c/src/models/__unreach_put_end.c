int __unreach_put_end(struct __unreach_text *out)
{
    if (out->size > 0) {
        out->text[out->length < out->size ? out->length : out->size - 1] = 0;
    }
    return (int)out->length;
}
