/* Constructors run before main, by their priority. */
long result;
__attribute__((constructor)) static void third(void) { result = result * 10 + 3; }
__attribute__((constructor(200))) static void second(void) { result = result * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { result = result * 10 + 1; }
static int target(void) { return 5; }
extern int other(void) __attribute__((alias("target")));

int main(void)
{
    result = result * 10 + other();
    return 0;
}
