union both {
    int small;
    long long large;
};
int main(void) {
    union both both, *at = &both;
    at->small = 1;
    if (at->large > 3)
        return 0;
    return 0;
}
