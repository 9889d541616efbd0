static int first(int number, int *at) {
    int *own = &number;
    if (*own > 2)
        return *at;
    return 0;
}
static int kept[2];
int main(int argc, char **argv) {
    int local = 3;
    int numbers[3] = {1};
    if (argc > 0 && argv[0] && argv[0][0] == 'a')
        local = 2;
    if (kept[1] > 0 || numbers[2] > 0)
        return 1;
    return first(local, &local) > 7;
}
