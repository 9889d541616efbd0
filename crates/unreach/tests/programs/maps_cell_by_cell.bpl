//@ verdict: safe
// Functions of the solver on maps work cell by cell.
type Key;
function {:builtin "MapAdd"} sum(a: [Key]int, b: [Key]int) returns ([Key]int);
function {:builtin "MapLe"} below(a: [Key]int, b: [Key]int) returns ([Key]bool);
function {:builtin "MapNot"} complement(a: [int]bool) returns ([int]bool);
function {:builtin "MapOr"} union(a: [int]bool, b: [int]bool) returns ([int]bool);
function {:builtin "MapIte"} choice(c: [int]bool, a: [int]int, b: [int]int) returns ([int]int);
procedure main(a: [Key]int, b: [Key]int, k: Key, c: [int]bool, x: [int]int, y: [int]int, i: int)
{
  assume a[k] == 3 && b[k] == 4;
  assert sum(a, b)[k] == 7;
  assert below(a, b)[k] && !below(b, a)[k];
  assert union(c, complement(c))[i];
  assert c[i] ==> choice(c, x, y)[i] == x[i];
  assert !c[i] ==> choice(c, x, y)[i] == y[i];
}
