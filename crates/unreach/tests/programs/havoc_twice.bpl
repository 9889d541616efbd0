//@ verdict: unsafe
//@ fails: 12
// Two choices need not be equal. A proof that named the chosen value would say so.
procedure main()
{
  var x, y: int;
  var again: bool;
  havoc x;
  y := x;
  while (again) {
    havoc x, again;
    assert x == y;
  }
}
