// property: unreach-call
// verdict: safe
// Counting by halves is exact, and this sum of tenths is by luck.
extern void reach_error(void);
int main(void) {
    float sum = 0.1f;
    int count = 0;
    for (float x = 0.0f; x < 1.0f; x += 0.5f)
        count++;
    for (int i = 0; i < 2; i++)
        sum += 0.1f;
    if (count != 2 || sum != 0.3f)
        reach_error();
    return 0;
}
