char *strchr(const char *text, int wanted)
{
    __SIZE_TYPE__ index = 0;
    while (text[index] != (char)wanted) {
        if (text[index] == 0) {
            return (char *)0;
        }
        index++;
    }
    return (char *)(text + index);
}
