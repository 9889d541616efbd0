char *index(const char *text, int wanted)
{
    return strchr(text, wanted);
}
