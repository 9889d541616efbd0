//@ verdict: safe
// Even and odd by counting down.
procedure even(n: int) returns (b: bool)
{
  if (n == 0) {
    b := true;
  } else {
    call b := odd(n - 1);
  }
}

procedure odd(n: int) returns (b: bool)
{
  if (n == 0) {
    b := false;
  } else {
    call b := even(n - 1);
  }
}

procedure main(n: int)
{
  var b: bool;
  call b := even(n);
  assert b ==> n mod 2 == 0;
}
