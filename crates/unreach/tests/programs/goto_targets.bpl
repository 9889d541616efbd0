//@ verdict: safe
procedure main(n: int)
{
  var x: int;
  start:
    x := 0;
    goto one, two;
  one:
    assume n > 0;
    x := 1;
    goto done;
  two:
    assume n <= 0;
    x := 2;
    goto done;
  done:
    assert x == 1 || x == 2;
    assert n > 0 ==> x == 1;
}
