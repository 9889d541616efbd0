//@ verdict: unsafe
//@ fails: 14
// The first element is looked at in the end, but not before.
procedure main(n: int, a: [int]int)
{
  var i, largest: int;
  largest := 0;
  i := 1;
  while (i < n) {
    if (a[i] > largest) { largest := a[i]; }
    i := i + 1;
  }
  i := 0;
  while (i < n) { assert a[i] <= largest; i := i + 1; }
}
