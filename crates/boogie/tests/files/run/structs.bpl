//@ run
//@ run fields
//@ run maps
type Pointer = { base, offset: int };
procedure fields() returns (p: Pointer, q: Pointer)
{
  p!offset := 3;
  q := p;
  assert p == q && q!offset == 3;
  q!base := 1;
  assert p != q;
  call p := swap(q);
  assert p == { base: 3, offset: 1 };
}
procedure swap(a: Pointer) returns (b: Pointer)
{
  b!base := a!offset;
  b!offset := a!base;
}
procedure maps() returns (m: [Pointer]int, p: Pointer)
{
  m[p] := 5;
  m[{ base: 1, offset: 2 }] := 6;
  assert m[{ base: 0, offset: 0 }] == 5;
  assert m[p] == 6;
}
//@ expect
// fields: Finished
//   p.base = 3
//   p.offset = 1
//   q.base = 1
//   q.offset = 3
// maps: Assert fails, `assert m[p] == 6;` at 25:3
//   m = [0, 0 := 5, 1, 2 := 6, else 0]
//   p.base = 0
//   p.offset = 0
