//@ verdict: unsafe
//@ fails: 6
procedure main(m: [int, int]int)
{
  assume m[0, 1] == 0 && m[0, 2] == 5;
  assert m[1, 1] == 0;
}
