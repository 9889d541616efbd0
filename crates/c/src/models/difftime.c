double difftime(long end, long start)
{
    if (end >= start) {
        return (double)((unsigned long)end - (unsigned long)start);
    }
    return -(double)((unsigned long)start - (unsigned long)end);
}
