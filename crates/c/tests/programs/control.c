/* goto in and out of loops, switch with fall-through and a loop inside, comma, short circuit with effects. */
long long result;
static int calls;
static int yes(int v) { calls++; return v; }
int main(void) {
    int i = 0, j;
again:
    for (j = 0; j < 5; j++) {
        if (i + j == 6) goto out;
        if (j == 3) { i++; goto again; }
        result = result * 3 + i * j;
    }
out:
    result += i * 100 + j;
    switch (i) { case 1: result++; case 2: result += 2; break; case 3: do { result *= 2; case 4: result += 5; } while (result % 3); default: result -= 7; }
    if (yes(0) && yes(1) || yes(1) && !yes(0)) result = result * 2 + 1;
    int k = (yes(1), yes(5)) ? yes(0) ?: 8 : 3;
    result = result * 11 + calls + k;
    int n = 3; do { if (n == 2) continue; result += n; } while (--n);
    return 0;
}
