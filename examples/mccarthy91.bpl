// McCarthy's function returns 91 for every argument up to 101. The proof needs a contract for the recursive
// procedure, which nobody wrote down: Unreach finds it.
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
