char *strpbrk(const char *text, const char *wanted)
{
    __SIZE_TYPE__ position = 0;
    while (text[position] != 0) {
        __SIZE_TYPE__ index = 0;
        while (wanted[index] != 0 && wanted[index] != text[position]) {
            index++;
        }
        if (wanted[index] != 0) {
            return (char *)(text + position);
        }
        position++;
    }
    return (char *)0;
}
