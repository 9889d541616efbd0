//@ verdict: safe
procedure called(x: int) returns (y: int)
{
  y := 0;
  assume false;
}
procedure main()
{
  var b: int;
  call b := called(0);
  assert false;
}
