//@ verdict: unsafe
//@ fails: 9
// Nothing says that the function is injective.
function f(x: int): int;

procedure main(x: int, y: int)
{
  assume x != y;
  assert f(x) != f(y);
}
