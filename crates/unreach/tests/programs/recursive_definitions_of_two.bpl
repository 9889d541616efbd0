//@ verdict: unsafe
//@ fails: 7
function even(n: int) returns (bool) { if n <= 0 then n == 0 else odd(n - 1) }
function odd(n: int) returns (bool) { n > 0 && even(n - 1) }
procedure main(n: int)
{
  assert n == 7 ==> even(n);
}
