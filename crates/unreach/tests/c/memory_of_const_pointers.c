// property: valid-memsafety
// verdict: unsafe
// fails: valid-deref
static const char *const words[2] = {"a", "b"};

int main(void)
{
    char *bytes = (char *)words;
    bytes[0] = 1;
    return 0;
}
