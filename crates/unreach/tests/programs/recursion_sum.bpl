//@ verdict: safe
procedure sum(n: int) returns (s: int)
{
  if (n <= 0) {
    s := 0;
  } else {
    call s := sum(n - 1);
    s := s + n;
  }
}

procedure main(n: int)
{
  var s: int;
  call s := sum(n);
  assert s >= 0;
  assert n >= 0 ==> s >= n;
}
