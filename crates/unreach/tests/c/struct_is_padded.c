// property: assert
// verdict: safe
// Every data model aligns a `long` behind three characters.
struct padded { char first[3]; long second; };

int main(void) {
    if (sizeof(struct padded) == 3 * sizeof(char) + sizeof(long)) {
        //@ assert \false;
    }
    return 0;
}
