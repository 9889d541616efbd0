char *strrchr(const char *text, int wanted)
{
    char *found = (char *)0;
    __SIZE_TYPE__ index = 0;
    while (text[index] != 0) {
        if (text[index] == (char)wanted) {
            found = (char *)(text + index);
        }
        index++;
    }
    if ((char)wanted == 0) {
        found = (char *)(text + index);
    }
    return found;
}
