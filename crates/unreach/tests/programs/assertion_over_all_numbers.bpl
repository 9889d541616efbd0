//@ verdict: unsafe
//@ fails: 5
procedure main(a: [int]int)
{
  assert (forall i: int :: a[i] >= 0);
}
