int isdigit(int c)
{
    return (c >= '0' && c <= '9') ? __unreach_nonzero() : 0;
}
