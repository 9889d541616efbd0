//@ ir
// Structs are replaced by their fields.
type Pointer = { base, offset: int };
type Cell = { at: Pointer, live: bool };
const null: Pointer;
axiom null == { base: 0, offset: 0 };
var memory: [Pointer]int;
var cells: [int]Cell;
var p.base: int;
function move(p: Pointer, by: int) returns (Pointer) { { base: p!base, offset: p!offset + by } }
function owner(c: Cell) returns (Pointer);
function flag(c: Cell) returns (bool) { (forall q: Pointer :: { owner({ at: q, live: true }) } q == c!at ==> c!live) }
function pair(c: Cell) returns ({ left: bool, right: bool }) { { left: (exists i: int :: i == c!at!base), right: c!live } }
procedure p(p: Pointer where p != null, n: int) returns (r: Cell)
  requires p!base > 0;
  ensures r!at == old(cells)[n]!at;
  modifies memory, cells;
{
  var c: Cell;
  memory[p] := n;
  cells[n]!at!offset := p!offset + 1;
  c := cells[n];
  r, c!live := c, !c!live;
  havoc c;
  call r := p(move(p, 1), memory[c!at]);
  assert {:at p} if flag(c) then c == r else owner(c) != p;
}
//@ expect
// const null.base: int;
// const null.offset: int;
// function move.base(p.base': int, p.offset: int, by: int) returns (int) { p.base' }
// function move.offset(p.base'': int, p.offset': int, by: int) returns (int) { p.offset' + by }
// function owner.base(c.at.base: int, c.at.offset: int, c.live: bool) returns (int);
// function owner.offset(c.at.base': int, c.at.offset': int, c.live': bool) returns (int);
// function flag(c.at.base'': int, c.at.offset'': int, c.live'': bool) returns (bool) { (forall q.base: int, q.offset: int :: { owner.base(q.base, q.offset, true), owner.offset(q.base, q.offset, true) } q.base == c.at.base'' && q.offset == c.at.offset'' ==> c.live'') }
// function pair.left(c.at.base''': int, c.at.offset''': int, c.live''': bool) returns (bool) { (exists i: int :: i == c.at.base''') }
// function pair.right(c.at.base'''': int, c.at.offset'''': int, c.live'''': bool) returns (bool) { c.live'''' }
// axiom null.base == 0 && null.offset == 0;
// var memory: [int, int]int;
// var cells.at.base: [int]int;
// var cells.at.offset: [int]int;
// var cells.live: [int]bool;
// var p.base: int;
//
// procedure p(p.base': int where p.base' != null.base || p.offset != null.offset, p.offset: int, n: int) returns (r.at.base: int, r.at.offset: int, r.live: bool)
//   requires p.base' > 0;
//   modifies memory, cells.at.base, cells.at.offset, cells.live;
//   ensures r.at.base == old(cells.at.base)[n] && r.at.offset == old(cells.at.offset)[n];
// {
//   var c.at.base: int;
//   var c.at.offset: int;
//   var c.live: bool;
//
// entry1:
//   memory := memory[p.base', p.offset := n];
//   cells.at.offset := cells.at.offset[n := p.offset + 1];
//   c.at.base, c.at.offset, c.live := cells.at.base[n], cells.at.offset[n], cells.live[n];
//   r.at.base, r.at.offset, r.live, c.live := c.at.base, c.at.offset, c.live, !c.live;
//   havoc c.at.base, c.at.offset, c.live;
//   call r.at.base, r.at.offset, r.live := p(move.base(p.base', p.offset, 1), move.offset(p.base', p.offset, 1), memory[c.at.base, c.at.offset]);
//   assert {:at p.base', p.offset} if flag(c.at.base, c.at.offset, c.live) then c.at.base == r.at.base && c.at.offset == r.at.offset && c.live == r.live else owner.base(c.at.base, c.at.offset, c.live) != p.base' || owner.offset(c.at.base, c.at.offset, c.live) != p.offset;
//   return;
// }
