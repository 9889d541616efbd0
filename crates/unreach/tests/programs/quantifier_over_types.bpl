//@ verdict: safe
type Ref;
type Field a;
var heap: <a>[Ref, Field a]a;
const unique size: Field int;
const unique full: Field bool;
function rank<a>(x: a): int;
axiom (forall<a> x: a :: rank(x) > 0);
procedure write<a>(r: Ref, f: Field a, v: a);
  modifies heap;
  ensures heap[r, f] == v;
  ensures (forall<b> q: Ref, g: Field b :: q != r ==> heap[q, g] == old(heap)[q, g]);
procedure main(r: Ref, s: Ref, b: bool)
  modifies heap;
{
  assume r != s;
  heap[s, size] := 9;
  heap[s, full] := b;
  call write(r, size, 5);
  assert heap[r, size] == 5 && heap[s, size] == 9 && heap[s, full] == b;
  assert rank(b) + rank(r) > 1;
  assert (forall<t> x: t :: rank(x) >= 1);
}
