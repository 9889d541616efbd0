//@ verdict: unsafe
//@ fails: 6
// Division by zero has some value, and nobody knows which.
procedure main(x: int)
{
  assert x div 0 == 0;
}
