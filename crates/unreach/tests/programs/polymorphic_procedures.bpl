//@ verdict: safe
procedure same<a>(x: a) returns (y: a)
  ensures y == x;
{
  y := x;
}
procedure swapped<a, b>(x: a, y: b) returns (p: b, q: a)
{
  call q := same(x);
  p := y;
}
procedure main()
{
  var i: int;
  var b: bool;
  call b, i := swapped(4, true);
  assert b && i == 4;
}
