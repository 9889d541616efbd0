//@ verdict: unsafe
//@ todo: a map that an axiom describes at infinitely many keys has no value that a run could show
//@ fails: 7
function {:builtin "MapIte"} choice(c: [int]bool, a: [int]int, b: [int]int) returns ([int]int);
procedure main(c: [int]bool, x: [int]int, y: [int]int, i: int)
{
  assert c[i] ==> choice(c, x, y)[i] == y[i];
}
