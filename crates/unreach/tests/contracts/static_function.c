// A static function with a contract is entered itself, and nothing else of its name.
// contracts: check
// function: unreach_call_f
// verdict: unsafe
/*@ requires x < 10; ensures \result > 100; */
static int f(int x) { return x; }
extern int input(void);
void unreach_call_f(void) { f(input()); }
