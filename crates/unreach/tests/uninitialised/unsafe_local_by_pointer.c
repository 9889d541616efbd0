static int larger(const int *number, int than) {
    if (*number > than)
        return 1;
    return 0;
}
int main(void) {
    int number;
    return larger(&number, 3) == 2;
}
