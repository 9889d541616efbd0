//@ verdict: unsafe
//@ fails: 7
function size<T>(x: T) returns (int);
axiom size(true) == 1;
procedure main()
{
  assert size(5) == 1;
}
