//@ verdict: safe
procedure main(x: int)
{
  assert (var y, z := x + 1, x - 1; y * z) == x * x - 1;
  assert (var x := x + 1; (var x := x + 1; x)) == x + 2;
  assert (forall i: int :: (var j := i + 1; j > i));
}
