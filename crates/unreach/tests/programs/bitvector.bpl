//@ verdict: safe
function {:bvbuiltin "bvadd"} add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} less(x: bv8, y: bv8): bool;

procedure main(x: bv8)
{
  var y: bv8;
  assume less(x, 100bv8);
  y := add(x, 100bv8);
  assert less(x, y);
  assert y[8:4] ++ y[4:0] == y;
}
