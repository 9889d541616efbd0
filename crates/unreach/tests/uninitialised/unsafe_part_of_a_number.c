int main(void) {
    int number;
    unsigned char *byte = (unsigned char *)&number;
    byte[0] = 1;
    byte[1] = 1;
    byte[2] = 1;
    if (number > 3)
        return 0;
    return 1;
}
