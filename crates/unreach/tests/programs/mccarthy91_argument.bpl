//@ verdict: unsafe
//@ fails: 8
// The claim is one too strong: the argument 102 gives 92.
procedure main(a: int)
{
  var r: int;
  call r := m91(a);
  assert a <= 102 ==> r == 91;
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
