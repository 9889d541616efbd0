long double creall(long double _Complex number)
{
    return __real__ number;
}
