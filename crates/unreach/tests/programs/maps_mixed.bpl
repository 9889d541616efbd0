//@ verdict: safe
// Every cell is one of the two.
function {:builtin "mix-Array-Int-Int"} mix(a: [int]int, b: [int]int, c: [int]bool) returns ([int]int);
procedure main(a: [int]int, b: [int]int, c: [int]bool, i: int)
{
  assert mix(a, b, c)[i] == a[i] || mix(a, b, c)[i] == b[i];
}
