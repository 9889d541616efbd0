/* Recursion with addresses of locals: every call has its own object. */
long long result;
static void count(int n, int *total) {
    int mine = n;
    if (n > 0) { count(n - 1, &mine); *total += mine; }
    else *total += 1;
}
static unsigned long ack(unsigned long m, unsigned long n) {
    return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
int main(void) { int t = 0; count(6, &t); result = t * 1000 + (long long)ack(2, 3); return 0; }
