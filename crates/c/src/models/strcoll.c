int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}
