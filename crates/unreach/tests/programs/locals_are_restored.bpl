//@ verdict: safe
// Every activation has its own local variable.
procedure clobber(n: int)
{
  var x: int;
  x := n;
  if (n > 0) {
    call clobber(n - 1);
  }
  assert x == n;
}

procedure main(n: int)
{
  call clobber(n);
}
