// property: unreach-call
// verdict: safe
extern void reach_error(void);
int g, h;
int f(void) { return ++g; }
int k(void) { return ++h; }

int main(void) {
    int a[2] = {f(), k()};
    int s = a[0] + a[1] * f() + k();
    if (s != 5 || g != 2)
        reach_error();
    return 0;
}
