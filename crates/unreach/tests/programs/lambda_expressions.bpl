//@ verdict: safe
var g: int;
procedure main(n: int)
  modifies g;
{
  var m: [int]int;
  m := (lambda i: int :: i + n + old(g));
  g := g + 1;
  assert m[3] == 2 + n + g;
  assert (lambda i: int, b: bool :: if b then i else 7)[5, true] == 5;
  assert (lambda i: int :: 7)[n] == 7;
}
