int iscntrl(int c)
{
    return ((c >= 0 && c < 32) || c == 127) ? __unreach_nonzero() : 0;
}
