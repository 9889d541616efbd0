//@ verdict: unsafe
//@ fails: 6
procedure main(a: [int]int, x: int)
{
  assume (forall i: int :: a[i] >= 0);
  assert a[x] > 0;
}
