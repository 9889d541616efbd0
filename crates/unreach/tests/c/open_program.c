// property: unreach-call
// verdict: unsafe
// A function that somebody else defines may return anything.
extern int sensor(int channel);
extern void reach_error(void);

int main(void) {
    if (sensor(1) == 5 && sensor(2) == -7)
        reach_error();
    return 0;
}
