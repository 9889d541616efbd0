//@ verdict: safe
type Field _;
const unique next: Field int;
const unique flag: Field bool;
type Heap = <a>[int, Field a]a;
var heap: Heap;
procedure main(x: int)
  modifies heap;
{
  var before: Heap;
  before := heap;
  heap[x, flag] := true;
  heap[x, next] := 5;
  assert heap[x, flag] && heap[x, next] == 5;
  assert heap[x, next := before[x, next]][x, flag := before[x, flag]] == before;
}
