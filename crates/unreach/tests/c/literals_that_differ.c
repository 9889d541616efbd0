// property: unreach-call
// verdict: safe
// No place can have the characters of both.
extern void reach_error(void);

int main(void) {
    const char *left = "left", *right = "right";
    if (left == right)
        reach_error();
    if (left != left)
        reach_error();
    return 0;
}
