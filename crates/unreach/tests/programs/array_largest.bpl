//@ verdict: safe
procedure main(n: int, a: [int]int)
{
  var i, largest: int;
  largest := a[0];
  i := 1;
  while (i < n) {
    if (a[i] > largest) { largest := a[i]; }
    i := i + 1;
  }
  i := 1;
  while (i < n) { assert a[i] <= largest; i := i + 1; }
}
