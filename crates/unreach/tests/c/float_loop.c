// property: unreach-call
// verdict: safe
// Counting by halves is exact.
extern void reach_error(void);
int main(void) {
    int count = 0;
    for (float x = 0.0f; x < 1.0f; x += 0.5f)
        count++;
    if (count != 2)
        reach_error();
    return 0;
}
