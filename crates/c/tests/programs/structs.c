/* Structs as values: assignment, arguments, results, arrays inside, nested, bit-fields, designated initialisers. */
struct point { int x, y; };
struct shape { struct point corner[2]; unsigned kind : 3; signed weight : 6; char name[4]; };
long long result;
static struct point flip(struct point p) { struct point q = { p.y, p.x }; p.x = 99; return q; }
static struct shape make(int k) {
    struct shape s = { .corner = { [1] = { 3, k } }, .kind = k, .weight = -k, .name = "ab" };
    return s;
}
struct shape global = { { { 1, 2 }, { 3, 4 } }, 9, 33, { 'x' } };
int main(void) {
    struct point p = { .y = 5, .x = 2 }, q = flip(p);
    struct shape s = make(13), t = s, *u = &t;
    u->corner[0] = q; t.corner[1].x += 7; s.kind += 6;
    result = p.x + 10 * p.y + 100 * q.x + 1000 * q.y;
    result = result * 7 + s.kind * 100 + s.weight + s.name[1] + s.name[2];
    result = result * 7 + u->corner[0].x + u->corner[1].x * 3 + u->corner[1].y;
    result = result * 7 + global.kind + global.weight * 5 + global.name[0] + global.corner[1].y;
    result = result * 7 + flip(flip(q)).x + sizeof(struct shape) + (int)__builtin_offsetof(struct shape, name);
    return 0;
}
