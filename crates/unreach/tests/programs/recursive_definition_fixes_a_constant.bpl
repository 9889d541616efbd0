//@ verdict: safe
const c: int;
function f(n: int) returns (int) { if n == 0 then 0 else f(n) + c }
procedure main()
{
  assert c == 0;
}
