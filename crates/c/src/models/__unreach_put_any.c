extern char __unknown_character(void);
extern int __unknown_int(void);
void __unreach_put_any(struct __unreach_text *out)
{
    __SIZE_TYPE__ index;
    __unknown_int();
    if (out->size > 0) {
        for (index = 0; index + 1 < out->size; index++) {
            out->text[index] = __unknown_character();
        }
        out->length = out->size - 1;
    }
}
