int fesetround(int mode)
{
    if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00) {
        return 1;
    }
    __unreach_rounding = mode;
    return 0;
}
