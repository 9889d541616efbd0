float crealf(float _Complex number)
{
    return __real__ number;
}
