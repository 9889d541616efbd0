__SIZE_TYPE__ strcspn(const char *text, const char *refused)
{
    __SIZE_TYPE__ length = 0;
    while (text[length] != 0) {
        __SIZE_TYPE__ index = 0;
        while (refused[index] != 0 && refused[index] != text[length]) {
            index++;
        }
        if (refused[index] != 0) {
            return length;
        }
        length++;
    }
    return length;
}
