// contracts: enforce sum
// verdict: unsafe
// says: requires of sum
int sum(int n)
__CPROVER_requires(0 < n && n <= 1000)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value >= n)
{ return n == 0 ? 0 : n + sum(n - 1); }
int any(void);
int main(void) { sum(any()); }
