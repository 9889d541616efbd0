static int last;
static void keep(int *number) {
    last += *number > 0 ? 1 : 2;
}
int main(void) {
    for (int i = 0; i < 3; i++) {
        int number;
        int *to = &number;
        if (i != 1)
            *to = i;
        else
            to = &last;
        if (i != 1)
            keep(to);
    }
    struct {
        int a, b;
    } pair, *at = &pair;
    at->a = 1;
    keep(&at->b);
    return 0;
}
