//@ verdict: unsafe
//@ fails: 19
// A cell is counted up in every round if all kinds are the same.
procedure main(n: int) requires n >= 0;
{
  var count, kind: [int]int;
  var i, x: int;
  i := 0;
  while (i < 16) { count[i] := 0; i := i + 1; }
  i := 0;
  while (i < n) { havoc x; assume 0 <= x && x < 16; kind[i] := x; i := i + 1; }
  i := 0;
  while (i < n) {
    assert 0 <= kind[i] && kind[i] < 16;
    count[kind[i]] := count[kind[i]] + 1;
    i := i + 1;
  }
  i := 0;
  while (i < 16) { assert n == 0 || (0 <= count[i] && count[i] < n); i := i + 1; }
}
