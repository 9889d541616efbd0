double cimag(double _Complex number)
{
    return __imag__ number;
}
