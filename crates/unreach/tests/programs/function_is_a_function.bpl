//@ verdict: safe
function f(x: int): int;

procedure main(x: int, y: int)
{
  var before: int;
  before := f(x);
  assume x == y;
  assert f(y) == before;
}
