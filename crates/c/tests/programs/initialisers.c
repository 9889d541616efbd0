/* Initialiser lists (C11 6.7.9): designators, overriding, values that go on behind a designator. */
long result;
struct pair { int x, y; };
struct outer { struct pair p; int z; struct pair q[3]; };
union number { int whole; struct pair both; char bytes[12]; };

static long add(struct outer *o)
{
    long sum = o->p.x + 3 * o->p.y + 7 * o->z;
    for (int i = 0; i < 3; i++)
        sum = sum * 5 + o->q[i].x + 11 * o->q[i].y;
    return sum;
}

int main(void)
{
    struct outer a = { .p = { 1, 2 }, .p = { .y = 5 } };
    struct outer b = { .p.x = 1, 2, 3, .q[1].y = 4, 5, 6 };
    struct outer c = { { 1 }, .q = { [1] = { 2, 3 }, { 4 } }, .z = 9, 8 };
    struct pair whole = { 21, 22 };
    struct outer d = { .p.y = 7, .p = whole, .q[2] = whole, .q[1].x = 0 };
    int array[] = { [3] = 1, 2, [1] = 7, 8, 9, [0 ... 1] = 4 };
    union number u = { .both = { 1, 2 }, .whole = 3 };
    char text[] = { "ab" "c" };
    char short_text[2] = "xy";
    struct pair *literal = (struct pair[]){ { 1, 2 }, { .y = 3 } };
    result = add(&a) + 31 * add(&b) + 37 * add(&c) + 41 * add(&d);
    for (unsigned i = 0; i < sizeof array / sizeof *array; i++)
        result = result * 3 + array[i];
    result = result * 10 + u.whole + sizeof text + short_text[1] + literal[1].y + literal[1].x;
    return 0;
}
