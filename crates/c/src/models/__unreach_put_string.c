void __unreach_put_string(struct __unreach_text *out, const char *from, int flags, int width, int precision)
{
    int count = 0;
    int index;
    int left = (flags & 1) || width < 0;
    if (width < 0) {
        width = -width;
    }
    while ((precision < 0 || count < precision) && from[count]) {
        count++;
    }
    for (index = count; !left && index < width; index++) {
        __unreach_put(out, ' ');
    }
    for (index = 0; index < count; index++) {
        __unreach_put(out, from[index]);
    }
    for (index = count; left && index < width; index++) {
        __unreach_put(out, ' ');
    }
}
