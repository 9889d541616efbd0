// property: unreach-call
// verdict: safe
extern void reach_error(void);
struct s { char c; int x; };

int main(void) {
    struct s s = {1, 0};
    char *p = (char *)&s;
    p[4] = 7;
    if (s.x != 7 || s.c != 1)
        reach_error();
    return 0;
}
