//@ verdict: unsafe
//@ fails: 9
// The recursion is entered once where it must be entered twice, and 100 gives 102.
procedure main(a: int)
{
  var r: int;
  assume a == 100;
  call r := m91(a);
  assert r == 91;
}

procedure m91(x: int) returns (r: int)
{
  if (x > 100) {
    r := x - 10;
  } else {
    call r := m91(x + 12);
  }
}
