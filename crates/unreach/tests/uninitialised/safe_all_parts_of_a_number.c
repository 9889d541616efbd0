int main(void) {
    int number;
    unsigned char *byte = (unsigned char *)&number;
    for (int i = 0; i < 4; i++)
        byte[i] = 1;
    if (number > 3)
        return 0;
    return 1;
}
