long double cimagl(long double _Complex number)
{
    return __imag__ number;
}
