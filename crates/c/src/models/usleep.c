int usleep(unsigned int time)
{
    return __unreach_done();
}
