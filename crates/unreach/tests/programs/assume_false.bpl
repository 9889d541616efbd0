//@ verdict: safe
procedure main()
{
  assume false;
  assert false;
}
