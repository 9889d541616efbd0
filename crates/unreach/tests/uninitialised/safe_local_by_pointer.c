static void set(int *number) {
    *number = 4;
}
int main(void) {
    int number;
    set(&number);
    if (number > 3)
        return 0;
    return 1;
}
