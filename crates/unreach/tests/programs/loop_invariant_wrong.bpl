//@ verdict: unsafe
//@ fails: 8
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant i < 2;
  {
    i := i + 1;
  }
}
