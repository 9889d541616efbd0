static void __unreach_put(struct __unreach_text *out, char character)
{
    if (out->length + 1 < out->size) {
        out->text[out->length] = character;
    }
    out->length++;
}
