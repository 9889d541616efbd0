//@ verdict: unsafe
//@ fails: 6
function f(n: int) returns (int) { if n <= 0 then 0 else 1 + f(n - 1) }
procedure main()
{
  assert f(3) == 4;
}
