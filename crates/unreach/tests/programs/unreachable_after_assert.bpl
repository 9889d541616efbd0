//@ verdict: safe
// What comes after an assertion may rely on it; the loop never ends in another way.
procedure main(x: int)
  requires x > 3;
{
  assert x > 2;
  while (x <= 2) {
    assert false;
  }
}
