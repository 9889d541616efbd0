// property: valid-memsafety
// verdict: safe
// The initialiser gives the last member its elements, as in GNU C.
struct list {
    int count;
    int numbers[];
};
static struct list list = {3, {1, 2, 3}};

int main(void) {
    int sum = 0;
    for (int i = 0; i < list.count; i++)
        sum += list.numbers[i];
    return sum == 6 ? 0 : 1;
}
