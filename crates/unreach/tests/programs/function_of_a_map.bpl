//@ verdict: unsafe
//@ fails: 7
type T;
function f([T]int) returns (T);
procedure main(m: [T]int, t: T)
{
  assert f(m) == f(m[t := 5]);
}
