void __unreach_put_character(struct __unreach_text *out, int character, int flags, int width)
{
    int index;
    int left = (flags & 1) || width < 0;
    if (width < 0) {
        width = -width;
    }
    for (index = 1; !left && index < width; index++) {
        __unreach_put(out, ' ');
    }
    __unreach_put(out, (char)character);
    for (index = 1; left && index < width; index++) {
        __unreach_put(out, ' ');
    }
}
