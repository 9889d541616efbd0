// property: unreach-label
// verdict: unsafe
int main(void) {
    int x;
    if (x > 41 && x < 43)
        goto ERROR;
    return 0;
ERROR:
    goto ERROR;
}
