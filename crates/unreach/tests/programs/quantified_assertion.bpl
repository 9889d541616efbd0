//@ verdict: safe
procedure main(a: [int]int, n: int)
{
  assume (forall i: int :: 0 <= i && i < n ==> a[i] > 0);
  assume n > 2;
  assert (exists i: int :: a[i] > 0);
}
