int isspace(int c)
{
    return (c == ' ' || (c >= 9 && c <= 13)) ? __unreach_nonzero() : 0;
}
