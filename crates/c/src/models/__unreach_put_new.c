extern __SIZE_TYPE__ __nondet_size_t(void);
void __unreach_put_new(struct __unreach_text *out)
{
    out->length = 0;
    out->size = __nondet_size_t();
    __builtin_assume(out->size > 0 && out->size <= __INT_MAX__);
    out->text = __builtin_malloc(out->size);
    if (out->text == (char *)0) {
        out->size = 0;
    }
}
