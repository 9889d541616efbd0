//@ verdict: unsafe
//@ fails: 13
procedure main()
{
  var x: int;
  start:
    x := 0;
    goto one, two;
  one:
    x := x + 1;
    goto two;
  two:
    assert x == 0;
}
