float cimagf(float _Complex number)
{
    return __imag__ number;
}
