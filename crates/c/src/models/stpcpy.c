char *stpcpy(char *to, const char *from)
{
    __SIZE_TYPE__ index = 0;
    while (from[index] != 0) {
        to[index] = from[index];
        index++;
    }
    to[index] = 0;
    return to + index;
}
