char *strcat(char *to, const char *from)
{
    __SIZE_TYPE__ end = 0;
    __SIZE_TYPE__ index = 0;
    while (to[end] != 0) {
        end++;
    }
    while (from[index] != 0) {
        to[end + index] = from[index];
        index++;
    }
    to[end + index] = 0;
    return to;
}
