//@ verdict: unsafe
//@ fails: 8
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} less(x: bv8, y: bv8): bool;

procedure main(x: bv8)
{
  assert less(x, add(x, 1bv8));
}
