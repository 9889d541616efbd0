float _Complex conjf(float _Complex number)
{
    return ~number;
}
