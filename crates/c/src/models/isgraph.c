int isgraph(int c)
{
    return (c > 32 && c < 127) ? __unreach_nonzero() : 0;
}
