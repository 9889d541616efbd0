// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
// harness: the machine protects what is constant, and no sanitizer is asked
static const char *const words[2] = {"a", "b"};

int main(void)
{
    char *bytes = (char *)words;
    bytes[0] = 1;
    return 0;
}
