// property: unreach-call
// verdict: safe
extern void reach_error(void);

int main(void) {
    int cells[3000];
    for (int *p = cells; p < cells + 3000; p++)
        *p = 9;
    for (int i = 0; i < 3000; i++)
        if (cells[i] != 9)
            reach_error();
    return 0;
}
