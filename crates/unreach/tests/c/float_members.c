// property: unreach-call
// verdict: safe
// Floating numbers in structs, arrays and behind pointers.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
struct point {
    double x, y;
    int name;
};
void swap(struct point *p) {
    double x = p->x;
    p->x = -p->y;
    p->y = x;
}
int main(void) {
    struct point points[2] = {{1.0, 2.0, 1}};
    points[1].y = __VERIFIER_nondet_double();
    double y = points[1].y;
    swap(&points[0]);
    swap(&points[1]);
    if (points[0].x != -2.0 || points[0].y != 1.0 || points[1].y != 0 || points[0].name != 1)
        reach_error();
    if (y > 0 && points[1].x >= 0)
        reach_error();
    return 0;
}
