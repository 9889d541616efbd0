__SIZE_TYPE__ strnlen(const char *text, __SIZE_TYPE__ most)
{
    __SIZE_TYPE__ length = 0;
    while (length < most && text[length] != 0) {
        length++;
    }
    return length;
}
