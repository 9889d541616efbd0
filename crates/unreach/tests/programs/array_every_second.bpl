//@ verdict: unsafe
//@ fails: 10
// Only every second cell is written.
procedure main()
{
  var a: [int]int;
  var i: int;
  i := 0;
  while (i < 10) { a[i] := 4; i := i + 2; }
  i := 0; while (i < 10) { assert a[i] == 4; i := i + 1; }
}
