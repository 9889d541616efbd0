// property: unreach-call
// verdict: safe
// A function that only hands out zeroed blocks makes another block for every use, whatever the block is for.
extern void *kzalloc(unsigned long size, unsigned flags);
extern void *kcalloc(unsigned long count, unsigned long size, unsigned flags);
extern void *vmalloc(unsigned long size);
extern void kfree(const void *block);
extern void vfree(const void *block);
extern void reach_error(void);

struct pair { void *first, *second; };

static void *zeroed(unsigned long size) { return kzalloc(size, 0); }

int main(void) {
    struct pair *pair = zeroed(sizeof(struct pair));
    int *numbers = zeroed(4 * sizeof(int));
    char *text = zeroed(4);
    long *more = kcalloc(3, sizeof(long), 0);
    unsigned *plain = vmalloc(2 * sizeof(unsigned));
    pair->first = numbers;
    pair->second = text;
    numbers[1] = 7;
    text[1] = 'x';
    plain[0] = 3;
    if (((int *)pair->first)[1] != 7 || numbers[0] != 0 || ((char *)pair->second)[1] != 'x' || more[2] != 0 || plain[0] != 3)
        reach_error();
    vfree(plain);
    kfree(more);
    kfree(text);
    kfree(numbers);
    kfree(pair);
    return 0;
}
