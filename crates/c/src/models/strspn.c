__SIZE_TYPE__ strspn(const char *text, const char *accepted)
{
    __SIZE_TYPE__ length = 0;
    while (text[length] != 0) {
        __SIZE_TYPE__ index = 0;
        while (accepted[index] != 0 && accepted[index] != text[length]) {
            index++;
        }
        if (accepted[index] == 0) {
            return length;
        }
        length++;
    }
    return length;
}
