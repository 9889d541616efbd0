//@ verdict: safe
function double(x: int): int { x + x }

procedure main(x: int)
{
  assert double(double(x)) == 4 * x;
}
