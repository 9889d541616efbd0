//@ verdict: true
//@ ltl invariant answered: [](AP(request == 1) ==> <>AP(answer == 1));
// Where the pointers lead is known, so no execution comes to the place where nothing would be known.
int request, answer, other;
void take(int *where, int *also) {
    *where = 1;
    *also = other;
}
int main(void) {
    int here;
    take(&request, &here);
    /* A ## and an exit in a comment are none. */
    answer = 1;
    while (1)
        ;
}
