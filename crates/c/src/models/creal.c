double creal(double _Complex number)
{
    return __real__ number;
}
