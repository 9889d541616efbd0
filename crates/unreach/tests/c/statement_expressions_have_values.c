// property: valid-memsafety
// verdict: safe
// The value of a statement expression stays when its variables end.
struct pair { int first, *second; };
static int cell;

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        struct pair s = ({ struct pair x = {i, &cell}; struct pair *q = &x; q->first++; *q; });
        *s.second = s.first;
        sum += s.first;
    }
    int *p = cell == 2 && sum == 3 ? &sum : 0;
    return *p;
}
