int isblank(int c)
{
    return (c == ' ' || c == 9) ? __unreach_nonzero() : 0;
}
