char *rindex(const char *text, int wanted)
{
    return strrchr(text, wanted);
}
