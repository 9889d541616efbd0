/* Arrays of arrays, of variable length, of structs; sizeof; sorting; initialisers with ranges; static locals. */
long long result;
static int table[3][4] = { { 1, 2 }, { [2] = 7 }, [2] = { [0 ... 3] = 5 } };
static int next(void) { static int state = 3; return state += 2; }
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 2 + a[i][j]; return s; }
int main(void) {
    int n = 5, v[n], w[] = { 9, 3, 7, 1, 8, 2 };
    for (int i = 0; i < n; i++) v[i] = i * next();
    for (int i = 0; i < 6; i++) for (int j = 0; j + 1 < 6 - i; j++) if (w[j] > w[j + 1]) { int t = w[j]; w[j] = w[j + 1]; w[j + 1] = t; }
    for (int i = 0; i < 6; i++) result = result * 10 + w[i];
    result += sum(3, 4, table) + v[4] + (long long)sizeof v + sizeof table / sizeof table[0];
    struct { int k; char c[3]; } s[2] = { { 1, "ab" }, { 2 } };
    s[1].c[0] = s[0].c[1]; result = result * 3 + s[1].c[0] + s[1].k + s[0].c[2];
    int *heap = __builtin_malloc(4 * sizeof(int)); for (int i = 0; i < 4; i++) heap[i] = i; heap = __builtin_realloc(heap, 8 * sizeof(int));
    result += heap[3]; return 0;
}
