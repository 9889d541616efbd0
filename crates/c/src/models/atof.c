double atof(const char *text)
{
    return strtod(text, (char **)0);
}
