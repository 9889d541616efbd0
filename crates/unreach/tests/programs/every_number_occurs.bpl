//@ verdict: safe
// The solver has to find out for which number to use the assumption.
procedure main(a: [int]int)
{
  assume (forall i: int :: (exists j: int :: a[j] == i));
  assert (exists j: int :: a[j] == 42);
}
