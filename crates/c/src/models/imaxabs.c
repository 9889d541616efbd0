__INTMAX_TYPE__ imaxabs(__INTMAX_TYPE__ value)
{
    return value < 0 ? -value : value;
}
