//@ verdict: unknown
//@ ltl invariant next: [](AP(a == 1) ==> X(AP(a == 2)));
int a;
int main(void) {
    a = 1;
    a = 2;
}
