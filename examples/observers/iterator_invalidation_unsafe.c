struct list { int length; };
struct iterator { struct list *of; int at; };
extern int nondet_int(void);
static struct iterator the_iterator;

struct iterator *iterate(struct list *l) {
    the_iterator.of = l;
    the_iterator.at = 0;
    return &the_iterator;
}
void insert(struct list *l, int value) { (void)value; l->length++; }
int advance(struct iterator *i) { return i->at++; }

int main(void) {
    struct list numbers = {0}, seen = {0};
    struct iterator *i = iterate(&numbers);
    advance(i);
    insert(nondet_int() ? &seen : &numbers, 1);
    advance(i);
    return 0;
}
