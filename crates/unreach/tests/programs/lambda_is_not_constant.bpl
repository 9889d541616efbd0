//@ verdict: unsafe
//@ fails: 7
procedure main()
{
  var m: [int]bool;
  m := (lambda i: int :: 0 <= i);
  assert m[-1];
}
