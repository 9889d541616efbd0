long double _Complex conjl(long double _Complex number)
{
    return ~number;
}
