char *strstr(const char *text, const char *wanted)
{
    __SIZE_TYPE__ start = 0;
    while (1) {
        __SIZE_TYPE__ index = 0;
        while (wanted[index] != 0 && text[start + index] == wanted[index]) {
            index++;
        }
        if (wanted[index] == 0) {
            return (char *)(text + start);
        }
        if (text[start] == 0) {
            return (char *)0;
        }
        start++;
    }
}
