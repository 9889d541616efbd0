double _Complex conj(double _Complex number)
{
    return ~number;
}
