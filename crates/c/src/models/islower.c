int islower(int c)
{
    return (c >= 'a' && c <= 'z') ? __unreach_nonzero() : 0;
}
