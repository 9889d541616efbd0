extern int __nondet_int(void);
int __unreach_scan_count(int most)
{
    int count = __nondet_int();
    __builtin_assume(count >= -1 && count <= most);
    return count;
}
