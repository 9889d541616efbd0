int isupper(int c)
{
    return (c >= 'A' && c <= 'Z') ? __unreach_nonzero() : 0;
}
