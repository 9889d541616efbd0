extern int __unknown_int(void);
int __unreach_scan_unknown(int most)
{
    int count = __unknown_int();
    __builtin_assume(count >= -1 && count <= most);
    return count;
}
