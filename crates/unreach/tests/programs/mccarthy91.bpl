//@ verdict: safe
// Paper "Nested Interpolants", Figure 1.
procedure main(a: int)
{
  var r: int;
  call r := m91(a);
  assert a <= 101 ==> r == 91;
}

procedure m91(x: int) returns (r: int)
{
  var t: int;
  if (x > 100) {
    r := x - 10;
  } else {
    call t := m91(x + 11);
    call r := m91(t);
  }
}
