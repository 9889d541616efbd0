char *strncat(char *to, const char *from, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ end = 0;
    __SIZE_TYPE__ index = 0;
    while (to[end] != 0) {
        end++;
    }
    while (index < most && from[index] != 0) {
        to[end + index] = from[index];
        index++;
    }
    to[end + index] = 0;
    return to;
}
