//@ verdict: unsafe
//@ fails: 7
procedure main(n: int)
{
  var m: [int]int;
  m := (lambda i: int :: i * n);
  assert m[2] == m[3];
}
