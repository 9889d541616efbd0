char *strncpy(char *to, const char *from, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ index = 0;
    while (index < most && from[index] != 0) {
        to[index] = from[index];
        index++;
    }
    while (index < most) {
        to[index] = 0;
        index++;
    }
    return to;
}
