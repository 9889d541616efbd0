//@ verdict: safe
// A search that must end at a cell that was marked before.
procedure main(mark: int)
{
  var a: [int]int;
  var i: int;
  assume mark >= 0;
  a[mark] := 13;
  i := 0;
  while (a[i] != 13) { i := i + 1; }
  assert i <= mark;
}
