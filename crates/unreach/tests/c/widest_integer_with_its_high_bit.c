// property: unreach-call
// verdict: unsafe
// harness: the input has more digits than a constant of C can have
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern void reach_error(void);

int main(void)
{
    unsigned __int128 any = __VERIFIER_nondet_uint128();
    long high = (long)(any >> 64);
    if (high < 0 && (__int128)any < 0) {
        reach_error();
    }
    return 0;
}
