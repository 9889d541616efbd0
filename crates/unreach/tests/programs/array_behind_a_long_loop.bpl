//@ verdict: unsafe
//@ fails: 12
// The error lies behind so many writes that the run has to be told in part.
procedure main()
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < 60000) { a[i] := i; i := i + 1; }
  i := 0;
  while (i < 60000) { a[i] := a[i] + 1; i := i + 1; }
  assert a[59999] == 59999;
}
