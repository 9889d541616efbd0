extern int __nondet_int(void);
int usleep(unsigned int time)
{
    return __nondet_int() ? -1 : 0;
}
