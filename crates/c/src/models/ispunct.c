int ispunct(int c)
{
    return ((c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~')) ? __unreach_nonzero() : 0;
}
